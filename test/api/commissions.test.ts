import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { dayMs } from '../../src/core/time.ts';
import { merchantIn, openSharedMerchant, otherMerchant, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openSharedMerchant();

const fresh = async () => merchantIn(merchant.service, await merchant.service.seed());
const pathOf = ({ world }: Merchant) => `/stores/${world.store.id}/commissions`;

/** Requests the list as a CSV file and returns the response as text. */
async function fileOf({ service, world }: Merchant, query = '', accept = 'text/csv'): Promise<Omit<ApiResponse, 'json'>> {
  const headers = { authorization: `Bearer ${world.operator_key}`, accept };
  const answer = await fetch(`${service.url}/api/v1/stores/${world.store.id}/commissions${query}`, { headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}
const linesOf = (text: string): readonly string[] => text.trimEnd().split('\r\n');

test('the totals of a filter count and add up the rows that its list shows', async () => {
  const own = await fresh();
  const { sale, results } = reviewerOf(own);
  const [first, second] = [await sale({ order_subtotal_cents: 10_000 }), await sale({ order_subtotal_cents: 5_000 })];
  const totals = async (query = '') => (await own.api('GET', `${pathOf(own)}/totals${query}`)).json;
  expect(await totals()).toEqual({ count: 2, amount_cents: 1_500, eligible_cents: 15_000, earned_cents: 1_500, has_more: false });
  await results('approve', [first.commissionId]);
  expect(await totals('?state=approved')).toEqual({
    count: 1,
    amount_cents: 1_000,
    eligible_cents: 10_000,
    earned_cents: 1_000,
    has_more: false,
  });
  expect(await totals(`?order_id=${encodeURIComponent(second.orderId)}`)).toMatchObject({ count: 1, amount_cents: 500 });
  expect(await totals('?state=paid')).toEqual({ count: 0, amount_cents: 0, eligible_cents: 0, earned_cents: 0, has_more: false });
  expect(await totals('?limit=5')).toMatchObject({ ok: false, reason: 'invalid_request' });
  expect(await totals('?from=yesterday')).toMatchObject({ errors: [{ field: 'from' }] });
});

test('one commission is found by its id, as the list shows it, and only in its own store', async () => {
  const own = await fresh();
  const { commissionId } = await reviewerOf(own).sale();
  const one = await own.api('GET', `${pathOf(own)}/${commissionId}`);
  expect(one.status).toBe(200);
  expect(one.json).toEqual((await own.api('GET', pathOf(own))).json.data[0]);
  expect(one.json).toMatchObject({ id: commissionId, creator_name: 'Cora Creator', clicked_at: expect.any(String) });
  expect((await own.api('GET', `${pathOf(otherMerchant(own))}/${commissionId}`)).status).toBe(404);
  expect((await own.api('GET', `${pathOf(own)}/${publicId('com', newId(new Date()))}`)).status).toBe(404);
});

test('the CSV export contains exactly the filtered rows, and nothing that a spreadsheet would execute', async () => {
  const own = await fresh();
  const { sale, results } = reviewerOf(own);
  const start = Date.parse(own.at()) - 5 * dayMs;
  const made = [];
  for (const [day, fields] of [
    { order_id: '=HYPERLINK("http://evil.example")' },
    { order_id: 'plain', discount_code: '@SUM(A1)', metadata: { note: 'a, "b"' } },
    { order_id: 'line\r\nbreak', order_name: '-1' },
  ].entries())
    made.push(
      await sale({ ...fields, click_id: await own.clickAt(new Date(start)), occurred_at: new Date(start + day * dayMs).toISOString() }),
    );
  const whole = await fileOf(own);
  expect(whole.status).toBe(200);
  expect(whole.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(whole.headers.get('content-disposition')).toBe('attachment; filename="commissions.csv"');
  expect(whole.headers.get('cache-control')).toBe('no-store');
  const [titles = '', newest = ''] = linesOf(whole.text);
  expect(titles).toMatch(/^id,occurred_at,recorded_at,order_id,invoice_id,order_name,creator_id,creator_name,/);
  expect(newest).toMatch(new RegExp(`^${made[2]?.commissionId},`));
  expect(whole.text).toContain(`,"'=HYPERLINK(""http://evil.example"")",`);
  expect(whole.text).toContain(`,'@SUM(A1),"{""note"":""a, \\""b\\""""}",`);
  expect(whole.text).toContain(`,"line\r\nbreak",,'-1,`);

  await results('approve', [made[1]?.commissionId ?? '']);
  expect(linesOf((await fileOf(own, '?state=approved')).text)).toEqual([titles, expect.stringMatching(`^${made[1]?.commissionId},`)]);
  expect(linesOf((await fileOf(own, '?state=paid')).text)).toEqual([titles]);
});

test('the CSV export has no pages, and reads its filter like the list', async () => {
  const own = await fresh();
  expect(await fileOf(own, '?limit=5')).toMatchObject({ status: 400, text: expect.stringContaining('"field":"limit"') });
  expect(await fileOf(own, '?cursor=x')).toMatchObject({ status: 400, text: expect.stringContaining('"field":"cursor"') });
  expect(await fileOf(own, '?from=yesterday')).toMatchObject({ status: 400, text: expect.stringContaining('"field":"from"') });
  expect((await fileOf(own, '', '*/*')).headers.get('content-type')).toContain('application/json');
});

/** Inserts 2,500 copies of this order's commission, all with the same time. */
const copiesOf = ({ storeId }: Merchant, orderId: string) => sql`
  insert into commissions (store_id, commission_id, state, program_id, creator_id, link_number, source_kind, source_id, source_text,
    eligible_cents, amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_days, hold_until, earned)
  select store_id, gen_random_uuid(), state, program_id, creator_id, link_number, 'invoice', gen_random_uuid(), 'in-' || n, eligible_cents,
    amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_days, hold_until, earned
  from commissions, generate_series(1, 2500) as n where store_id = ${storeId} and source_text = ${orderId}`;

test('a CSV export of more than one page contains each row once, in the order of the list', async () => {
  const own = await fresh();
  const { sale } = reviewerOf(own);
  const { orderId } = await sale();
  await own.database.run(copiesOf(own, orderId));
  const { text } = await fileOf(own);
  const ids = linesOf(text).map((line) => line.slice(0, line.indexOf(',')));
  expect(ids).toHaveLength(2_502);
  expect(new Set(ids).size).toBe(2_502);
});
