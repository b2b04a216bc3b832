import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openMerchant, type Json } from '../support/merchant.ts';

/** The example of docs/money.md, played through the API: every line of both books, and every balance, has to be the page's. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
await merchant.moveToSpring();

const page = readFileSync('docs/money.md', 'utf8');

type Row = { readonly what: string; readonly way: string; readonly cents: number };

/** The rows of the table under a title: what happened, from → to, the amount. */
function rowsOf(title: string): readonly Row[] {
  const section = page.split(/^#+ /m).find((one) => one.startsWith(`${title}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (.+?) \| `(\w+)` → `(\w+)` \| ([\d,]+\.\d\d) \|$/gm)];
  return rows.map(([, what = '', from, to, amount = '']) => ({
    what,
    way: `${from} ${to}`,
    cents: Math.round(Number(amount.replaceAll(',', '')) * 100),
  }));
}

const get = async (path: string): Promise<Json> => (await merchant.api('GET', path)).json;
const monthOf = (): string => merchant.at().slice(0, 7);
const store = () => `/stores/${merchant.world.store.id}`;
const creator = () => `/creators/${merchant.world.creator.id}`;

async function sell(id: string, order_subtotal_cents: number): Promise<void> {
  expect((await merchant.convert(await merchant.order({ order_id: id, order_subtotal_cents }))).json.reason).toBe('recorded');
  await merchant.api('POST', `${store()}/commissions/approve`, { filter: { state: 'pending' } });
}

const latestInvoice = async (): Promise<Json> =>
  (await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 })).json.invoices;
const pay = async (): Promise<Json> => (await merchant.api('POST', '/payout-runs', { creator_id: merchant.world.creator.id })).json.payouts;
const availableComesTo = (cents: number) => expect.poll(async () => (await get(`${creator()}/balance`)).available_cents).toBe(cents);

const shown = (lines: Json): readonly string[] =>
  lines.map(({ debit, credit, amount_cents: cents }: Json) => `${debit} ${credit} ${cents}`).sort();
const formatRows = (rows: readonly Row[]): readonly string[] => rows.map(({ way, cents }) => `${way} ${cents}`).sort();

test('the example has the documented result: each entry of the store’s and of the creator’s ledger, and the balances', async () => {
  // Without a hold, so that the months of the example pass at once: what is asked here are amounts, not days.
  await merchant.api('PATCH', `${store()}/programs/${merchant.world.program.id}`, { hold_days: 0 });
  await merchant.api('PUT', '/billing-settings', { fee_basis_points: 500 });
  for (const [id, subtotal] of [
    ['A', 12_999],
    ['B', 8_005],
    ['C', 25_000],
  ] as const)
    await sell(id, subtotal);
  const [first] = await latestInvoice();
  expect(first).toMatchObject({ total_cents: 4_831, state: 'paid' });
  await availableComesTo(4_601);

  const commission = (await get(`${store()}/commissions`)).data.find(({ order_id: id }: Json) => id === 'C');
  const { json: noted } = await merchant.api('POST', `${store()}/invoices/${first.id}/credit-notes`, {
    commission_ids: [commission.id],
    reason: 'returned after forty days',
  });
  expect(noted.credit_notes).toMatchObject([{ lines_cents: 2_500, fee_cents: 125 }]);
  await availableComesTo(2_101);
  expect(await pay()).toEqual([]);

  await sell('D', 40_000);
  expect(await latestInvoice()).toMatchObject([{ total_cents: 1_575, state: 'paid' }]);
  await availableComesTo(6_101);
  expect(await pay()).toMatchObject([{ amount_cents: 6_101, state: 'paid' }]);

  const ofStore = await get(`${store()}/statement?period=${monthOf()}&limit=200`);
  const ofCreator = await get(`${creator()}/statement?period=${monthOf()}&limit=200`);
  expect(shown(ofStore.lines)).toEqual(formatRows(rowsOf('In the store’s book')));
  expect(shown(ofCreator.lines)).toEqual(formatRows(rowsOf('In the creator’s book')));
  const ends = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+\.\d\d) \|/gm)].map(([, account, amount = '']) => [
    `${account}_cents`,
    Math.round(Number(amount.replaceAll(',', '')) * 100),
  ]);
  expect({ ...ofStore.closing, ...ofCreator.closing }).toEqual(Object.fromEntries(ends));
  expect(await merchant.api('POST', '/ledger/verify')).toMatchObject({ json: { ok: true, differences: [] } });
});
