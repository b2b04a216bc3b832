import { expect, test } from 'vitest';
import { newToken } from '../../src/people/tokens.ts';
import { newSecret } from '../../src/webhooks/signatures.ts';
import { hashOf, type Json, type Merchant, merchantIn, openSharedMerchant } from '../support/merchant.ts';

const merchant = await openSharedMerchant();

const fresh = async (): Promise<Merchant> => merchantIn(merchant.service, await merchant.service.seed());
const masked = (key: string): string => '*'.repeat(key.length - 4) + key.slice(-4);
const log = async ({ api, world }: Merchant): Promise<readonly Json[]> =>
  (await api('GET', `/stores/${world.store.id}/tracking-log`)).json.data;
const warnings = (line: Json): Json => line.warnings.filter(({ code }: { readonly code: string }) => code === 'key_in_body');

/** Every row of every table, with bytes as latin1: what a person with the database could read. */
async function wholeDatabase({ database }: Merchant): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query<Record<string, unknown>>(`select * from ${name}`);
    for (const row of rows)
      for (const value of Object.values(row)) texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value, large));
  }
  return texts.join('\n');
}
const large = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

test('a key in any field of any report is stored nowhere and in no reply, and each log entry has a warning', async () => {
  const own = await fresh();
  const key = own.world.store.postback_key;
  const order = await own.order({
    order_id: `order ${key}`,
    order_name: key,
    customer_id: `c-${key}`,
    discount_code: key,
    line_items: [{ product_id: key, amount_minor_units: 10_005, quantity: 1 }],
    metadata: { deep: [{ auth: `Bearer ${key}` }], [key]: true },
    [key]: 'an unknown field',
  });
  expect((await own.convert(order)).json.reason).toBe('recorded');
  const event = { relationship_id: `s ${key}`, environment: 'live' };
  const product = { product_id: 'plan-basic', price_id: 'price-monthly', currency: 'USD' };
  const bind = { ...event, ...product, event_id: `b ${key}`, click_id: await own.click() };
  const invoiceBody = { ...event, ...product, event_id: `i ${key}`, invoice_id: `in ${key}`, payment_state: 'paid', occurred_at: own.at() };
  expect((await own.post('v2/recurring/relationships', bind)).json.reason).toBe('recorded');
  expect((await own.post('v2/recurring/billing-events', { ...invoiceBody, amount_paid_minor_units: 900 })).json.reason).toBe('recorded');
  const other = { ...invoiceBody, event_id: `j ${key}`, invoice_id: 'in-2', amount_paid_minor_units: 900, product_id: `p ${key}` };
  expect((await own.post('v2/recurring/billing-events', other)).json.reason).toBe('recorded');
  const refund = { ...event, event_id: `r ${key}`, invoice_id: `in ${key}`, reason: key };
  expect((await own.post('v2/recurring/reversals', refund)).json.reason).toBe('recorded');
  expect((await own.post('v2/recurring/relationships/end', { ...event, event_id: `e ${key}`, reason: key })).json.reason).toBe('recorded');
  expect((await own.reverse({ order_id: order.order_id, reason: key })).json.reason).toBe('recorded');
  // Refused at a check: not JSON, a wrong type, a name that a pointer repeats.
  for (const body of [`{"key":"${key}"`, { order_id: key, currency: 7 }, { ...order, metadata: { [key]: 'a\0b' } }, [key], `key=${key}`])
    expect((await own.convert(body)).status).toBe(400);

  const token = key.slice(0, -4);
  expect(await wholeDatabase(own)).not.toContain(token);
  const lines = await log(own);
  expect(lines).toHaveLength(12);
  for (const line of lines) expect([line.operation, warnings(line).length]).toEqual([line.operation, 1]);
  const store = `/stores/${own.world.store.id}`;
  const { data } = (await own.api('GET', `${store}/commissions`)).json;
  expect(data).toHaveLength(2);
  expect(data.find(({ order_id: id }: Json) => id !== null)).toMatchObject({
    order_id: `order ${masked(key)}`,
    order_name: masked(key),
    customer_id: `c-${masked(key)}`,
    discount_code: masked(key),
    metadata: { deep: [{ auth: `Bearer ${masked(key)}` }], [masked(key)]: true },
    reversal_reason: masked(key),
  });
  const shown = [
    JSON.stringify(lines),
    JSON.stringify(data),
    (await own.api('GET', `${store}/relationships`)).text,
    ...(await Promise.all(data.map(async ({ id }: Json) => (await own.api('GET', `${store}/commissions/${id}/story`)).text))),
  ];
  expect(shown.join('\n')).not.toContain(token);
});

test('comparisons use the body as received: the same key is a replay, another key is other content', async () => {
  const own = await fresh();
  const key = own.world.store.postback_key;
  const order = await own.order({ order_id: `order ${key}`, metadata: { note: key } });
  const first = await own.convert(order);
  const again = await own.convert(order);
  expect([again.status, again.json.reason, again.json.transaction_id]).toEqual([200, 'duplicate_order', first.json.transaction_id]);
  const otherKey = newToken('pbk_').token.slice(0, -4) + key.slice(-4);
  const conflict = await own.convert({ ...order, metadata: { note: otherKey } });
  expect([conflict.status, conflict.json.reason]).toEqual([409, 'duplicate_order_conflict']);
  // Masked alike, and another order all the same.
  expect((await own.reverse({ order_id: `order ${otherKey}` })).json.reason).toBe('unknown_order');
  expect((await own.reverse({ order_id: order.order_id })).json.reason).toBe('recorded');
  expect((await own.commissionOf(order.order_id)).state).toBe('reversed');
  const found = await own.api('GET', `/stores/${own.world.store.id}/commissions?order_id=${encodeURIComponent(order.order_id)}`);
  expect(found.json.data.map(({ order_name, clicked_at }: Json) => [order_name, typeof clicked_at])).toEqual([[null, 'string']]);
  const [story] = found.json.data;
  const { json } = await own.api('GET', `/stores/${own.world.store.id}/commissions/${story.id}/story`);
  expect(JSON.stringify(json)).toContain('reversal');
  expect(hashOf(order.order_id)).not.toEqual(hashOf(`order ${masked(key)}`));
});

test.each([
  ['another key of the store', () => newToken('pbk_').token, 'postback key'],
  ['an API key', () => newToken('trb_').token, 'API key'],
  ['a webhook secret', () => newSecret(), 'webhook secret'],
])('masks %s and warns of it, like the key that was sent', async (_what, make, kind) => {
  const own = await fresh();
  const key = make();
  await own.convert(await own.order({ metadata: { note: { key } } }));
  const [line] = await log(own);
  expect(line.body).toContain(`"key":"${masked(key)}"`);
  expect(warnings(line)).toEqual([{ code: 'key_in_body', field: '/metadata/note/key', message: expect.stringContaining(kind) }]);
});

test('masks a key in JSON escapes in the stored body and in the stored fields', async () => {
  const own = await fresh();
  const key = own.world.store.postback_key;
  const escaped = [...key].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const order = JSON.stringify(await own.order({ order_name: 'HERE' })).replace('HERE', escaped);
  expect((await own.convert(order)).json.reason).toBe('recorded');
  const [line] = await log(own);
  expect(JSON.parse(line.body).order_name).toBe(masked(key));
  expect(warnings(line)).toHaveLength(1);
  const { data } = (await own.api('GET', `/stores/${own.world.store.id}/commissions`)).json;
  expect(data[0].order_name).toBe(masked(key));
});

test('the linter warns of a key in the body, and never repeats it', async () => {
  const own = await fresh();
  const key = own.world.store.postback_key;
  const lint = async (text: string): Promise<Json> =>
    (await own.api('POST', `/stores/${own.world.store.id}/lint`, { text, operation: 'conversion' })).json;
  const body = JSON.stringify({ orderId: key, currency: 'usd', note: key, order_subtotal_cents: '5' });
  for (const text of [body, `${body},`, `{"a":"${key}`, `{"a":${key}}`]) {
    const found = await lint(text);
    expect(found.warnings.map(({ code }: { readonly code: string }) => code)).toContain('key_in_body');
    expect(JSON.stringify(found)).not.toContain(key.slice(4, 20));
  }
  // A key in the header of a command is in the right place.
  const command = `curl -X POST ${own.service.url}/api/partner-network/postbacks/x/conversions -H 'Authorization: Bearer ${key}' -d '{}'`;
  const found = await lint(command);
  expect(found.warnings.map(({ code }: { readonly code: string }) => code)).not.toContain('key_in_body');
  expect(JSON.stringify(found)).not.toContain(key.slice(4, 20));
});

test('stores a body without a key byte for byte', async () => {
  const own = await fresh();
  const body = `{"order_id":"caf\\u00e9 100%25 \\\\/ pbk_short", "currency" : "USD"}`;
  await own.convert(body);
  const [line] = await log(own);
  expect([line.body, warnings(line)]).toEqual([body, []]);
});
