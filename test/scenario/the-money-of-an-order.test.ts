import { afterAll, expect, test } from 'vitest';
import { setPaymentMethod } from '../../src/merchants/payment-methods-sql.ts';
import { dayMs } from '../../src/core/time.ts';
import { merchantIn, openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { amountsOfCsv } from '../support/statements.ts';

/** The whole history of an order's money, through the API and clock moves only, so the tests see what a person can see. */
const first = await openMerchant();
afterAll(() => first.service.stop());

const fresh = async (): Promise<Merchant> => merchantIn(first.service, await first.service.seed());

async function soldAndApproved(merchant: Merchant, ...subtotals: readonly number[]): Promise<readonly string[]> {
  const orders: string[] = [];
  for (const order_subtotal_cents of subtotals) {
    const order = await merchant.order({ order_subtotal_cents });
    expect((await merchant.convert(order)).json).toMatchObject({ reason: 'recorded' });
    orders.push(order.order_id);
  }
  const { json } = await merchant.api('POST', `${store(merchant)}/commissions/approve`, { filter: { state: 'pending' } });
  expect(json.counts.ok).toBe(subtotals.length);
  return orders;
}

const store = ({ world }: Merchant) => `/stores/${world.store.id}`;
const creator = ({ world }: Merchant) => `/creators/${world.creator.id}`;
const commissions = async (merchant: Merchant): Promise<Json> => (await merchant.api('GET', `${store(merchant)}/commissions`)).json.data;
const states = async (merchant: Merchant): Promise<readonly string[]> =>
  (await commissions(merchant)).map(({ state }: Json) => state).sort();
const invoices = async (merchant: Merchant): Promise<Json> => (await merchant.api('GET', `${store(merchant)}/invoices`)).json.data;
const payouts = async (merchant: Merchant): Promise<Json> => (await merchant.api('GET', `${creator(merchant)}/payouts`)).json.data;
const status = async (merchant: Merchant): Promise<string> => (await merchant.api('GET', store(merchant))).json.status;

/** Invoices are issued on the 1st and charged from the 4th on, and payouts run on the 1st and the 15th. */
const busyDays = [1, 2, 4, 5, 15, 16];

/** Moves the clock day by day until the condition holds, and from one busy day to the next if it may take long. */
async function until(merchant: Merchant, isSo: () => Promise<boolean>, daysMax = 70): Promise<void> {
  for (let day = 0; day < daysMax;) {
    if (await isSo()) return;
    const days = daysMax > 5 ? daysToBusyDay(new Date(merchant.at())) : 1;
    await merchant.moveClock(`${days}d`);
    day += days;
  }
  expect.fail(`after ${daysMax} days it is not so yet`);
}

function daysToBusyDay(now: Date): number {
  for (let days = 1; ; days += 1) if (busyDays.includes(new Date(now.getTime() + days * dayMs).getUTCDate())) return days;
}

/** Verifies that the books agree. */
async function proved(merchant: Merchant): Promise<void> {
  const { json } = await merchant.api('POST', '/ledger/verify');
  expect(json.differences).toEqual([]);
  expect(json.ok).toBe(true);
}

const monthOf = (merchant: Merchant, daysAgo = 0): string => merchant.at(-daysAgo * dayMs).slice(0, 7);

/** Adds up the statements of every month with lines: opening, lines, and closing agree, and so do CSV and JSON. */
async function statementsHold(merchant: Merchant, path: string, accounts: ReadonlyArray<readonly [string, 1 | -1]>): Promise<void> {
  const months = [...new Set([120, 90, 60, 30, 0].map((days) => monthOf(merchant, days)))];
  for (const month of months) {
    const { json } = await merchant.api('GET', `${path}/statement?period=${month}&limit=200`);
    expect(json.next_cursor).toBe(null);
    for (const [account, side] of accounts) {
      const moved = json.lines.reduce((sum: number, { debit, credit, amount_cents: amount }: Json) => {
        return sum + side * ((debit === account ? amount : 0) - (credit === account ? amount : 0));
      }, 0);
      expect([month, account, json.opening[`${account}_cents`] + moved]).toEqual([month, account, json.closing[`${account}_cents`]]);
    }
    const key = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
    const csv = await (await fetch(`${merchant.service.url}/api/v1${path}/statement?period=${month}`, { headers: key })).text();
    expect(amountsOfCsv(csv)).toEqual(json.lines.map(({ amount_cents: amount }: Json) => amount));
  }
}

const storeAccounts = [
  ['expected', 1],
  ['owed', 1],
  ['collected', 1],
  ['fee', -1],
  ['credit', -1],
  ['to_creators', -1],
] as const;
const creatorAccounts = [
  ['available', -1],
  ['in_payout', -1],
  ['paid', -1],
  ['advance', 1],
] as const;

test('from the order to the creator’s bank: approved, invoiced on the 1st, charged on the 4th, paid out, in statements', async () => {
  const merchant = await fresh();
  const [order = ''] = await soldAndApproved(merchant, 40_000, 10_000);
  expect(await states(merchant)).toEqual(['approved', 'approved']);

  await until(merchant, async () => (await invoices(merchant)).length > 0);
  expect(merchant.at().slice(8, 10)).toMatch(/^0[12]$/);
  expect(await invoices(merchant)).toMatchObject([{ state: 'issued', total_cents: 5_000 }]);
  expect(await states(merchant)).toEqual(['billed', 'billed']);

  // The refund is too late: after the invoice is issued only an operator can reverse it.
  expect(await merchant.reverse({ order_id: order })).toMatchObject({ status: 422, json: { reason: 'paid_conversion_not_auto_reversed' } });

  await until(merchant, async () => (await invoices(merchant))[0].state === 'paid');
  const [{ issued_at: issuedAt, paid_at: paidAt }] = await invoices(merchant);
  expect([issuedAt.slice(8, 10), paidAt.slice(8, 10), merchant.at().slice(8, 10)]).toEqual(['01', '04', expect.stringMatching(/^0[45]$/)]);
  expect(paidAt.slice(0, 7)).toBe(issuedAt.slice(0, 7));
  await until(merchant, async () => (await payouts(merchant)).length > 0);
  await until(merchant, async () => (await payouts(merchant))[0].state === 'paid');
  expect(await payouts(merchant)).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
  await until(merchant, async () => (await states(merchant)).every((state) => state === 'paid'));

  await statementsHold(merchant, store(merchant), storeAccounts);
  await statementsHold(merchant, creator(merchant), creatorAccounts);
  const { json } = await merchant.api('GET', `${creator(merchant)}/statement?period=${monthOf(merchant)}`);
  expect(json.closing).toEqual({ available_cents: 0, in_payout_cents: 0, paid_cents: 5_000, advance_cents: 0 });
  await proved(merchant);
});

test('a late refund becomes the operator’s credit note, and the store gets it back on its next invoice', async () => {
  const merchant = await fresh();
  const [refunded = ''] = await soldAndApproved(merchant, 40_000, 10_000);
  await merchant.moveClock('31d');
  await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  expect(await states(merchant)).toEqual(['collected', 'collected']);
  const [invoice] = await invoices(merchant);
  const commission = (await commissions(merchant)).find(({ order_id: id }: Json) => id === refunded);
  const noted = await merchant.api('POST', `${store(merchant)}/invoices/${invoice.id}/credit-notes`, {
    commission_ids: [commission.id],
    reason: 'returned after 40 days',
  });
  expect(noted.status).toBeLessThan(300);
  expect(await states(merchant)).toEqual(['collected', 'reversed']);

  await soldAndApproved(merchant, 60_000);
  await merchant.moveClock('31d');
  const { json: run } = await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  expect(run.invoices).toMatchObject([{ total_cents: 6_000 - 4_000, state: 'paid' }]);
  await statementsHold(merchant, store(merchant), storeAccounts);
  await proved(merchant);
});

test('a declined card is retried and makes the store past due; a replaced card pays everything and ends that', async () => {
  const merchant = await fresh();
  await soldAndApproved(merchant, 30_000);
  await merchant.api('PUT', `${store(merchant)}/payment-method`, { sandbox: 'declined' });
  await until(merchant, async () => (await invoices(merchant))[0]?.state === 'retrying');
  await until(merchant, async () => (await invoices(merchant))[0].state === 'past_due');
  expect(await status(merchant)).toBe('past_due');
  // Orders from earlier visitors are still accepted.
  expect((await merchant.convert(await merchant.order({ click_id: await merchant.clickAt(new Date(merchant.at())) }))).status).toBe(200);

  await merchant.api('PUT', `${store(merchant)}/payment-method`, { sandbox: 'ok' });
  await until(merchant, async () => (await invoices(merchant))[0].state === 'paid', 3);
  expect(await status(merchant)).toBe('active');
  expect(await states(merchant)).toEqual(['collected', 'pending']);
  await proved(merchant);
});

test('a payout that the bank returns becomes available again, and is paid with the next one to a corrected account', async () => {
  const merchant = await fresh();
  await merchant.api('PUT', `${creator(merchant)}/payout-method`, { sandbox: 'returned' });
  await soldAndApproved(merchant, 50_000);
  await merchant.moveClock('35d');
  await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  await merchant.api('POST', '/payout-runs', { creator_id: merchant.world.creator.id });
  await until(merchant, async () => (await payouts(merchant))[0]?.state === 'returned', 5);
  expect(await states(merchant)).toEqual(['collected']);

  await merchant.api('PUT', `${creator(merchant)}/payout-method`, { sandbox: 'ok' });
  const { json: tooSoon } = await merchant.api('POST', '/payout-runs', { creator_id: merchant.world.creator.id });
  expect(tooSoon.payouts).toEqual([]);
  await merchant.moveClock('4d');
  await until(merchant, async () => (await states(merchant))[0] === 'paid', 40);
  expect((await payouts(merchant)).map(({ state }: Json) => state)).toEqual(['paid', 'returned']);
  await statementsHold(merchant, creator(merchant), creatorAccounts);
  await proved(merchant);
});

test('a payment that the bank takes back does not affect paid creators: the operator bears it until the store pays', async () => {
  const merchant = await fresh();
  await soldAndApproved(merchant, 50_000);
  await merchant.moveClock('31d');
  await setPaymentMethod(merchant.database, {
    storeId: merchant.storeId,
    provider: 'sandbox',
    instrument: 'disputed',
    at: new Date(merchant.at()),
  });
  await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  await merchant.api('POST', '/payout-runs', { creator_id: merchant.world.creator.id });
  await until(merchant, async () => (await invoices(merchant))[0].state === 'charged_back', 5);
  expect(await status(merchant)).toBe('past_due');
  expect(await states(merchant)).toEqual(['paid']);
  const borne = (await merchant.api('GET', `${creator(merchant)}/statement?period=${monthOf(merchant)}`)).json.closing;
  expect(borne).toEqual({ available_cents: 0, in_payout_cents: 0, paid_cents: 5_000, advance_cents: 5_000 });
  await proved(merchant);

  await merchant.api('PUT', `${store(merchant)}/payment-method`, { sandbox: 'ok' });
  await until(merchant, async () => (await invoices(merchant))[0].state === 'paid', 5);
  await until(
    merchant,
    async () => {
      const { json } = await merchant.api('GET', `${creator(merchant)}/statement?period=${monthOf(merchant)}`);
      return json.closing.advance_cents === 0;
    },
    5,
  );
  expect(await status(merchant)).toBe('active');
  await statementsHold(merchant, store(merchant), storeAccounts);
  await statementsHold(merchant, creator(merchant), creatorAccounts);
  await proved(merchant);
});
