import { expect, test } from 'vitest';
import { dayMs } from '../../src/core/time.ts';
import { holdCommission, merchantIn, openSharedMerchant, otherMerchant, type Json, type Merchant } from '../support/merchant.ts';

const merchant = await openSharedMerchant();

const fresh = async () => merchantIn(merchant.service, await merchant.service.seed());
const listOf = async ({ api, world }: Merchant, query = ''): Promise<Json> =>
  (await api('GET', `/stores/${world.store.id}/commissions${query}`)).json;
const orderIds = (json: Json): readonly string[] => json.data.map(({ order_id }: { readonly order_id: string }) => order_id);

test('a commission shows its order, its state with the reason, and the end of its hold', async () => {
  const own = await fresh();
  const details = { order_name: '#7', customer_id: 'c-7', discount_code: 'SPRING', metadata: { big: 1e300, list: [null] } };
  const order = await own.order({ ...details, eligible_amount_cents: 9_000 });
  const response = await own.convert(order);
  const occurred = String(order['occurred_at']);
  expect(await listOf(own)).toEqual({
    data: [
      {
        id: response.json.conversion_id,
        state: 'pending',
        held: null,
        program_id: own.world.program.id,
        creator_id: own.world.creator.id,
        creator_name: 'Cora Creator',
        order_id: order.order_id,
        invoice_id: null,
        attributed_by: 'click',
        credited_code: null,
        discount_codes: [],
        attribution: null,
        lead_id: null,
        lead_kind: null,
        bonus: null,
        amount_cents: 900,
        eligible_cents: 9_000,
        refunded_cents: 0,
        clicked_at: expect.any(String),
        occurred_at: occurred,
        recorded_at: expect.any(String),
        hold_until: new Date(Date.parse(occurred) + 30 * dayMs).toISOString(),
        auto_approve_at: null,
        approved_at: null,
        rejected_at: null,
        reversed_at: null,
        terms_version: 1,
        explanation: expect.stringMatching(
          /^The order earns 9.00 USD: 10% of 90.00 USD is 9.00 USD. It was placed within 30 days of the click on .* The refund hold ends on .*\.$/,
        ),
        ...details,
        rejected_reason: null,
        rejected_note: null,
        reversal_reason: null,
      },
    ],
    next_cursor: null,
  });
});

test('a commission shows its hold with the person, and its reversal with the reason', async () => {
  const own = await fresh();
  const [held, reversed] = [
    await own.order({ order_id: 'held', click_id: await own.click() }),
    await own.order({ order_id: 'reversed', click_id: await own.click() }),
  ];
  await own.convert(held);
  await own.convert(reversed);
  await holdCommission(own, 'held', 'dispute');
  await own.reverse({ order_id: 'reversed', reason: 'refunded' });
  const byOrder = new Map((await listOf(own)).data.map((row: Json) => [row.order_id, row]));
  expect(byOrder.get('held')).toMatchObject({
    state: 'pending',
    held: { reason: 'dispute', by: 'a test', since: expect.any(String) },
    explanation: expect.stringContaining('It is on hold (a dispute is open).'),
  });
  expect(byOrder.get('reversed')).toMatchObject({
    state: 'reversed',
    reversal_reason: 'refunded',
    explanation: expect.stringContaining('so its commission of 10.01 USD was reversed.'),
  });
});

test('an order id of the maximum length is found by its whole value, and differs from one with the same beginning', async () => {
  const own = await fresh();
  const start = 'L'.repeat(498);
  for (const end of ['-a', '-b']) await own.convert(await own.order({ order_id: `${start}${end}` }));
  expect(orderIds(await listOf(own, `?q=${start}-a`))).toEqual([`${start}-a`]);
  expect(orderIds(await listOf(own, `?q=${start}`)).toSorted()).toEqual([`${start}-a`, `${start}-b`]);
});

test('filters narrow the list; by time of the event, from is inclusive and to is exclusive', async () => {
  const own = await fresh();
  const start = Date.parse(own.at()) - 10 * dayMs;
  const at = (day: number) => new Date(start + day * dayMs).toISOString();
  for (const [day, order_id] of ['A-0', 'A-1', 'B-2', 'B-3'].entries())
    await own.convert(await own.order({ order_id, click_id: await own.clickAt(new Date(start + day * dayMs)), occurred_at: at(day) }));
  await holdCommission(own, 'B-2', 'dispute');
  await own.reverse({ order_id: 'B-3' });
  expect(orderIds(await listOf(own))).toEqual(['B-3', 'B-2', 'A-1', 'A-0']);
  const orderIdsFor = async (query: string) => orderIds(await listOf(own, query));
  expect(await orderIdsFor('?q=A-')).toEqual(['A-1', 'A-0']);
  expect(await orderIdsFor('?order_id=B-2')).toEqual(['B-2']);
  expect(await orderIdsFor('?state=reversed')).toEqual(['B-3']);
  expect(await orderIdsFor('?held=true')).toEqual(['B-2']);
  expect(await orderIdsFor('?held=dispute')).toEqual(['B-2']);
  expect(await orderIdsFor('?held=false&state=pending')).toEqual(['A-1', 'A-0']);
  expect(await orderIdsFor(`?from=${at(1)}&to=${at(3)}`)).toEqual(['B-2', 'A-1']);
  expect(await orderIdsFor(`?creator_id=${own.world.creator.id}`)).toHaveLength(4);
  expect(await orderIdsFor('?creator_id=crt_00000000000000000000000000')).toEqual([]);
});

test('pages are contiguous, also when several commissions have the same time', async () => {
  const own = await fresh();
  const occurred_at = own.at(-1_000);
  for (const order_id of ['1', '2', '3', '4', '5'])
    await own.convert(await own.order({ order_id, occurred_at, click_id: await own.click() }));
  const first = await listOf(own, '?limit=2');
  const second = await listOf(own, `?limit=2&cursor=${first.next_cursor}`);
  const third = await listOf(own, `?limit=2&cursor=${second.next_cursor}`);
  expect([first, second, third].flatMap(orderIds).sort()).toEqual(['1', '2', '3', '4', '5']);
  expect(third.next_cursor).toBeNull();
});

test("a store's list excludes the commissions of other stores", async () => {
  const own = await fresh();
  const other = otherMerchant(own);
  await other.convert(await other.order({ order_id: 'theirs', click_id: await other.click() }));
  expect(await listOf(own)).toEqual({ data: [], next_cursor: null });
});
