import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { insertRefusedOrders } from '../../src/creators/refused-orders-sql.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, type SignedInCreator } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const refusedOf = async ({ ask, id }: SignedInCreator, query = ''): Promise<Json[]> => {
  const response = await ask('GET', `/creators/${id}/refused-orders${query}`);
  expect(response.status, response.text).toBe(200);
  return response.json.data;
};
const daysFromNow = (days: number): string => new Date(merchant.service.platform.clock.now().getTime() + days * 86_400_000).toISOString();

type Sent = Readonly<Record<string, unknown>>;
let count = 0;
async function order(click: string, fields: Sent = {}): Promise<{ readonly reason: string; readonly orderId: string }> {
  count += 1;
  const given = fields['order_id'];
  const orderId = typeof given === 'string' ? given : `refused-${count}`;
  const body = {
    order_id: orderId,
    click_id: click,
    occurred_at: merchant.service.platform.clock.now().toISOString(),
    currency: 'USD',
    order_subtotal_cents: 12_345,
    order_name: 'Secret name',
    customer_id: 'Secret customer',
    discount_code: 'SECRET10',
    ...fields,
  };
  const response = await merchant.post('conversions', body);
  return { reason: response.json.reason, orderId };
}

test('a creator reads each failed order with their click: time, program, link, sub-id, and reason with the compared times', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const { link } = await joinProgram(merchant, nora);
  const click = await merchant.click(`${link.url}?sub=newsletter`);
  expect((await order(click, { currency: 'EUR' })).reason).toBe('unsupported_pricing_currency');
  expect((await order(click, { occurred_at: 'yesterday' })).reason).toBe('invalid_occurred_at');
  expect((await order(click, { occurred_at: daysFromNow(-1) })).reason).toBe('order_precedes_click');
  expect((await order(click, { occurred_at: daysFromNow(-60) })).reason).toBe('invalid_occurred_at');
  expect((await order(click)).reason).toBe('recorded');
  expect((await order(click)).reason).toBe('referral_click_already_converted');

  const refused = await refusedOf(nora);
  expect(refused.map(({ reason }) => reason)).toEqual([
    'referral_click_already_converted',
    'invalid_occurred_at',
    'order_precedes_click',
    'invalid_occurred_at',
    'unsupported_pricing_currency',
  ]);
  expect(refused[0]).toMatchObject({
    kind: 'order',
    program_id: merchant.world.program.id,
    store_id: merchant.world.store.id,
    link_code: link.code,
    link_url: link.url,
    sub_id: 'newsletter',
    was_recorded_later: false,
    message: expect.stringMatching(/^The visit of .* UTC already led to another order. One visit counts for one order\.$/),
  });
  expect(refused[1].message).toMatch(/^The order was placed on .* UTC, and the store reported it on .* UTC, more than 37 days later\.$/);
  expect(refused[2].message).toMatch(/^The order was placed on .* UTC, before the click on .* UTC/);
  expect(refused[3].message).toBe('The store reported the order without a valid time.');
  expect(refused[4].message).toBe('The order was in EUR. Only orders in USD earn commissions.');
  expect(refused.map(({ facts }) => facts.currency)).toEqual([null, null, null, null, 'EUR']);
  const [own] = (await nora.ask('GET', `/creators/${nora.id}/links`)).json.data;
  expect(own.refused).toBe(5);
  expect((await nora.ask('GET', `/creators/${nora.id}/refused-orders/totals`)).json).toEqual({ days: 30, refused: 5, is_exact: true });
  expect((await refusedOf(nora, `?link=${link.code}`)).length).toBe(5);
  expect(await refusedOf(nora, '?link=somebody-elses')).toEqual([]);
});

test('an order outside of the attribution window shows the click, the order, and the days of the window', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const { link } = await joinProgram(merchant, nora);
  const click = await merchant.click(link.url);
  await merchant.moveClock('31d');
  expect((await order(click)).reason).toBe('attribution_window_expired');
  const [refused] = await refusedOf(nora);
  expect(refused.message).toMatch(/within 30 days of the click/);
  const { clicked_at: clicked, occurred_at: occurred, ...others } = refused.facts;
  expect(Date.parse(occurred) - Date.parse(clicked)).toBeGreaterThan(30 * 86_400_000);
  expect(others).toEqual({ attribution_days: 30, currency: null, rule: null, codes: [] });
});

test('what a creator reads has no order id, name, customer, code, or amount of the merchant', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const { link } = await joinProgram(merchant, nora);
  const { orderId } = await order(await merchant.click(link.url), { currency: 'EUR' });
  const { text } = await nora.ask('GET', `/creators/${nora.id}/refused-orders`);
  for (const secret of [orderId, 'Secret', 'SECRET10', '12345', '123.45']) expect(text).not.toContain(secret);
  const exported = (await nora.ask('GET', '/profile/export')).text;
  expect(exported).toContain('unsupported_pricing_currency');
  for (const secret of [orderId, 'Secret', 'SECRET10']) expect(exported).not.toContain(secret);
});

test('lists an order that is sent again once, and shows after its correction that it was recorded', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const { link } = await joinProgram(merchant, nora);
  const click = await merchant.click(link.url);
  const sent = { order_id: `twice-${nora.id}` };
  await order(click, { ...sent, currency: 'EUR' });
  await order(click, { ...sent, currency: 'GBP' });
  expect(await refusedOf(nora)).toMatchObject([{ was_recorded_later: false }]);
  expect((await order(click, sent)).reason).toBe('recorded');
  expect(await refusedOf(nora)).toMatchObject([{ was_recorded_later: true }]);
});

test('does not show a test order, a forged click, an invalid request, or another creator’s orders', async () => {
  const [nora, otto] = [await createCreatorPerson(merchant.service), await createCreatorPerson(merchant.service)];
  const { link } = await joinProgram(merchant, nora);
  const click = await merchant.click(link.url);
  expect((await order(click, { test: true })).reason).toBe('test_click_required');
  const forged = `${click.slice(0, -4)}${click.endsWith('aaaa') ? 'bbbb' : 'aaaa'}`;
  expect((await order(forged, { currency: 'EUR' })).reason).toBe('unsupported_pricing_currency');
  expect((await order(click, { order_subtotal_cents: -1 })).reason).toBe('invalid_payload');
  expect(await refusedOf(nora)).toEqual([]);
  await order(click, { currency: 'EUR' });
  expect(await refusedOf(nora)).toHaveLength(1);
  expect(await refusedOf(otto)).toEqual([]);
  expect((await otto.ask('GET', `/creators/${nora.id}/refused-orders`)).status).toBe(404);
});

test('pages follow each other without a gap, and an erased creator’s failed orders are gone', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const { link } = await joinProgram(merchant, nora);
  const click = await merchant.click(link.url);
  for (let made = 0; made < 5; made += 1) await order(click, { currency: 'EUR' });
  const all = await refusedOf(nora);
  const seen: Json[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { json } = await nora.ask('GET', `/creators/${nora.id}/refused-orders?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...json.data);
    cursor = json.next_cursor;
  }
  expect(seen).toEqual(all);
  expect((await merchant.api('POST', `/creators/${nora.id}/erase`, {})).status).toBe(204);
  const { rows } = await merchant.database.one<{ rows: bigint }>(sql`
    select count(*) as rows from refused_orders r
    join links l on l.store_id = r.store_id and l.link_number = r.link_number where l.code = ${link.code}`);
  expect(rows).toBe(0n);
});

test('a batch without a failed order runs no additional query', async () => {
  const read = () => {
    throw new Error('no statement was expected');
  };
  await expect(insertRefusedOrders({ all: read, find: read, one: read, run: read, isTransaction: true }, [])).resolves.toBeUndefined();
});
