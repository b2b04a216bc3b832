import { afterAll, expect, test } from 'vitest';
import { dollars, cents } from '../../src/core/money.ts';
import { openMerchant, otherMerchant, type Json } from '../support/merchant.ts';
import { amountsOfCsv, moveToNextMonth } from '../support/statements.ts';
import { textOfPdf } from '../support/pdf-text.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const { world } = merchant;
await merchant.api('PUT', '/billing-settings', { fee_basis_points: 500, minimum_cents: 1_000, early_cents: 100_000 });
for (const order_subtotal_cents of [40_000, 25_005, 9_999]) await merchant.convert(await merchant.order({ order_subtotal_cents }));
const refunded = await merchant.order({ order_subtotal_cents: 7_000, order_id: '=refunded' });
await merchant.convert(refunded);
await merchant.reverse({ order_id: '=refunded' });
await merchant.api('POST', `/stores/${world.store.id}/commissions/approve`, { filter: { state: 'pending' } });
await merchant.moveClock('31d');
await merchant.api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 });
await merchant.api('POST', '/payout-runs', { creator_id: world.creator.id });
const month = await moveToNextMonth(merchant);

const read = async (path: string, accept: string, key = merchant.world.operator_key) => {
  const response = await fetch(`${merchant.service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}`, accept } });
  return { status: response.status, type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
};
const paths = () => [`/stores/${merchant.world.store.id}/statement`, `/creators/${merchant.world.creator.id}/statement`] as const;

const monthInUtc = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

test('page, CSV, and PDF of a month match to the cent, for the store and for the creator', async () => {
  for (const path of paths()) {
    const { json } = await merchant.api('GET', `${path}?period=${month}&limit=200`);
    expect(json).toMatchObject({ period: month, is_final: true, currency: 'USD', next_cursor: null });
    expect(json.lines.length).toBeGreaterThan(3);

    const csv = await read(`${path}?period=${month}`, 'text/csv');
    expect(csv.type).toContain('text/csv');
    const text = csv.bytes.toString('utf8');
    expect(text.split('\r\n')[0]).toBe(Object.keys(json.lines[0]).join(','));
    expect(amountsOfCsv(text)).toEqual(json.lines.map(({ amount_cents: amount }: Json) => amount));

    const pdf = await read(`${path}?period=${month}`, 'application/pdf');
    expect(pdf.type).toBe('application/pdf');
    const printed = textOfPdf(pdf.bytes);
    expect(printed).toContain(`Statement\nFinal\n${new Date(`${month}-01`).toLocaleDateString('en', monthInUtc)}`);
    for (const amount of [...Object.values<number>(json.opening), ...Object.values<number>(json.closing)]) {
      expect(printed).toContain(amount < 0 ? `- ${dollars(cents(-amount))}` : dollars(cents(amount)));
    }
    const sums = Map.groupBy(json.lines, ({ what }: Json) => what);
    for (const [what, of] of sums) {
      const amount = of.reduce((sum: number, { amount_cents: one }: Json) => sum + one, 0);
      expect(printed).toContain(what);
      expect(printed).toContain(dollars(cents(amount)));
    }
  }
});

test('the statements close with the balances of the ledger', async () => {
  const { json: ledger } = await merchant.api('GET', '/ledger');
  expect(ledger.is_balanced).toBe(true);
  const { json: store } = await merchant.api('GET', `${paths()[0]}?period=${month}`);
  const { json: creator } = await merchant.api('GET', `${paths()[1]}?period=${month}`);
  const held = (book: string, account: string) => {
    const found = ledger.accounts.find((one: Json) => one.book === book && one.account === account);
    return found === undefined ? 0 : Math.abs(found.debit_cents - found.credit_cents);
  };
  for (const account of ['expected', 'owed', 'collected', 'fee', 'credit', 'to_creators'])
    expect([account, store.closing[`${account}_cents`]]).toEqual([account, held('stores', account)]);
  for (const account of ['available', 'in_payout', 'paid', 'advance'])
    expect([account, creator.closing[`${account}_cents`]]).toEqual([account, held('creators', account)]);
  expect(creator.closing.paid_cents).toBe(4_000 + 2_501 + 1_000);
  expect(store.closing.fee_cents).toBe(Math.round((4_000 + 2_501 + 1_000) * 0.05));
});

test('an order line names the order and its accepted postback; an invoice line names the invoice number', async () => {
  const [path] = paths();
  const opened = merchant.at(-70 * 86_400_000).slice(0, 7);
  const months = [...new Set([opened, merchant.at(-40 * 86_400_000).slice(0, 7), month])];
  const lines = [];
  for (const one of months) lines.push(...(await merchant.api('GET', `${path}?period=${one}&limit=200`)).json.lines);
  const refund = lines.find(({ what }: Json) => what === 'Refunded');
  expect(refund).toMatchObject({ order_id: '=refunded', postback_id: expect.stringMatching(/^post_/) });
  const order = lines.find(({ what, order_id: id }: Json) => what === 'Order recorded' && id === '=refunded');
  expect(order.postback_id).not.toBe(refund.postback_id);
  // The creator's payout lines name the same order and the same postback.
  const recorded = new Map(
    lines.filter(({ what }: Json) => what === 'Order recorded').map((line: Json) => [line.order_id, line.postback_id]),
  );
  const { json: own } = await merchant.api('GET', `${paths()[1]}?period=${month}&limit=200`);
  const paidFor = own.lines.filter(({ what }: Json) => what === 'The store paid for it');
  expect(paidFor).toHaveLength(3);
  for (const line of paidFor) expect(line.postback_id).toBe(recorded.get(line.order_id));
  expect(new Set(paidFor.map((line: Json) => line.postback_id)).size).toBe(3);
  expect(
    lines.filter(({ what }: Json) => what === 'Invoiced' || what === 'Paid').every(({ invoice_number: number }: Json) => number === 1),
  ).toBe(true);
  expect(lines.find(({ what }: Json) => what === 'Platform fee invoiced')).toMatchObject({ creator_id: null, invoice_number: 1 });
});

test('the CSV contains text that a spreadsheet would execute as plain text', async () => {
  const opened = merchant.at(-32 * 86_400_000).slice(0, 7);
  const all = [];
  for (const one of new Set([opened, merchant.at(-62 * 86_400_000).slice(0, 7), month]))
    all.push((await read(`${paths()[0]}?period=${one}`, 'text/csv')).bytes.toString('utf8'));
  expect(all.join('')).toContain(`'=refunded`);
  expect(all.join('')).not.toMatch(/(^|,)=refunded/m);
});

test('the general ledger of a month contains every transfer of both books', async () => {
  const exported = await read(`/ledger/export?period=${month}`, 'text/csv');
  const rows = exported.bytes.toString('utf8').trim().split('\r\n').slice(1);
  const sum = (book: string) =>
    rows.filter((row) => row.startsWith(`${book},`)).reduce((total, row) => total + Number(row.split(',').at(-1)), 0);
  const sumOf = async (path: string) =>
    (await merchant.api('GET', `${path}?period=${month}&limit=200`)).json.lines.reduce(
      (total: number, one: Json) => total + one.amount_cents,
      0,
    );
  expect(sum('stores')).toBe(await sumOf(paths()[0]));
  expect(sum('creators')).toBe(await sumOf(paths()[1]));
});

test('a long month is returned page by page, without a duplicate or missing line', async () => {
  const [path] = paths();
  const whole = (await merchant.api('GET', `${path}?period=${month}&limit=200`)).json.lines;
  const paged: Json[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { json }: Json = await merchant.api('GET', `${path}?period=${month}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    paged.push(...json.lines);
    cursor = json.next_cursor;
  }
  expect(paged).toEqual(whole);
});

test('the current month is not final, an invalid month is rejected, and another store has its own', async () => {
  const [path] = paths();
  expect((await merchant.api('GET', `${path}?period=${merchant.at().slice(0, 7)}`)).json.is_final).toBe(false);
  for (const wrong of ['', '?period=2026-13', '?period=2026-1', '?period=last'])
    expect((await merchant.api('GET', path + wrong)).status).toBe(400);
  expect((await read(`${path}?period=${month}&limit=5`, 'text/csv')).status).toBe(400);
  const other = otherMerchant(merchant);
  const { json } = await merchant.api('GET', `/stores/${other.world.store.id}/statement?period=${month}`);
  expect(json.lines).toEqual([]);
});

test('the current month is complete in each format, as of one moment', async () => {
  const running = merchant.at().slice(0, 7);
  await merchant.convert(await merchant.order({ order_subtotal_cents: 12_300 }));
  const [path] = paths();
  const { json } = await merchant.api('GET', `${path}?period=${running}`);
  expect([json.is_final, json.lines.length > 0]).toEqual([false, true]);
  const csv = (await read(`${path}?period=${running}`, 'text/csv')).bytes.toString('utf8');
  expect(amountsOfCsv(csv)).toEqual(json.lines.map(({ amount_cents: amount }: Json) => amount));
  const text = textOfPdf((await read(`${path}?period=${running}`, 'application/pdf')).bytes);
  for (const amount of Object.values<number>(json.closing)) expect(text).toContain(dollars(cents(amount)));
});
