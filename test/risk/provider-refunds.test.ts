import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRole } from '../../src/people/team-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { anotherOperator } from '../support/operator-payouts.ts';
import { anotherRiskWorld, openRiskWorld, type RiskWorld } from '../support/risk.ts';

/** A charge that was refunded manually at the payment provider: an operator books the loss or invoices the store again. */
let first: RiskWorld;
beforeAll(async () => {
  first = await openRiskWorld();
});
afterAll(() => first.merchant.service.stop());

const fresh = (): Promise<RiskWorld> => anotherRiskWorld(first);
const resolve = (desk: RiskWorld, how: 'book-loss' | 'reinvoice', caseId: string) =>
  desk.merchant.api('POST', `/risk/cases/${caseId}/${how}`, { reason: 'Support refunded it at Stripe.' });
const openCases = (desk: RiskWorld) => desk.cases(`state=open&store_id=${desk.merchant.world.store.id}`);
const invoices = async ({ merchant, store }: RiskWorld): Promise<readonly Json[]> =>
  expectSuccess(await merchant.api('GET', `${store}/invoices`)).json.data;
const amounts = (payouts: readonly Json[]) => payouts.map(({ amount_cents: amount, state }) => `${amount} ${state}`);

/** The balance of each account of the store: debits less credits. */
async function balances({ merchant: { database, storeId } }: RiskWorld): Promise<Readonly<Record<string, number>>> {
  const rows = await database.all<{ account: string; cents: number }>(sql`
    select account, sum(debit_cents - credit_cents)::int as cents from balances where store_id = ${storeId}
    group by account having sum(debit_cents - credit_cents) <> 0 order by account`);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}

async function refunded(desk: RiskWorld, amount: number): Promise<string> {
  await desk.collected([50_000]);
  expect(await desk.report('charge_refunded', { amount })).toBe(200);
  const [found] = await openCases(desk);
  return found.id;
}

test('books a refund in part as a loss of the operator, and pays the creator', async () => {
  const desk = await fresh();
  const caseId = await refunded(desk, 2_000);
  expect(await desk.payoutRun()).toEqual([]);
  const before = await balances(desk);
  const booked = expectSuccess(await resolve(desk, 'book-loss', caseId)).json;
  expect(booked).toMatchObject({ id: caseId, state: 'released' });
  expect(booked.history.at(-1)).toMatchObject({
    action: 'released',
    resolution: 'loss_booked',
    amount_cents: 2_000,
    reason: 'Support refunded it at Stripe.',
  });
  const after = await balances(desk);
  expect(after).toEqual({ ...before, collected: (before['collected'] ?? 0) - 2_000, fee: (before['fee'] ?? 0) + 2_000 });
  expect(await desk.differences()).toEqual([]);
  expect(amounts(await desk.payoutRun())).toEqual(['5000 paid']);
  expect((await invoices(desk)).map(({ state }) => state)).toEqual(['paid']);
  expect((await resolve(desk, 'book-loss', caseId)).status).toBe(409);
  expect(await balances(desk)).toEqual(after);
  const log = expectSuccess(await desk.merchant.api('GET', '/audit-log?limit=50')).json.data;
  expect(log.map(({ action }: Json) => action)).toContain('risk_case.loss_booked');
  const month = desk.merchant.at().slice(0, '2026-03'.length);
  const statement = (await desk.merchant.api('GET', `${desk.store}/statement?period=${month}`)).text;
  expect(statement).toContain('Refunded at the payment provider, at the operator’s cost');
});

test('books only the difference when more of a charge is refunded later', async () => {
  const desk = await fresh();
  expectSuccess(await resolve(desk, 'book-loss', await refunded(desk, 2_000)));
  await desk.report('charge_refunded', { amount: 5_000 });
  const [more] = await openCases(desk);
  expect(expectSuccess(await resolve(desk, 'book-loss', more.id)).json.history.at(-1)).toMatchObject({ amount_cents: 3_000 });
  expect(await balances(desk)).toMatchObject({ fee: 5_000 });
  expect(await desk.differences()).toEqual([]);
});

test('invoices the store again for a charge that was refunded in full, and pays the creator once it paid', async () => {
  const desk = await fresh();
  const caseId = await refunded(desk, 5_000);
  const again = expectSuccess(await resolve(desk, 'reinvoice', caseId)).json;
  expect(again.history.at(-1)).toMatchObject({ action: 'released', resolution: 'reinvoiced', amount_cents: 5_000 });
  expect((await invoices(desk)).map(({ state }) => state)).toEqual(['charged_back']);
  expect(expectSuccess(await desk.merchant.api('GET', desk.store)).json.status).toBe('past_due');
  expect(await desk.differences()).toEqual([]);
  expect(await desk.payoutRun()).toEqual([]);
  const [mail] = expectSuccess(await desk.merchant.api('GET', '/mails?limit=200')).json.data.filter(
    ({ to }: Json) => to === desk.merchant.world.logins.merchant.email,
  );
  expect(mail.subject).toContain('is open again');
  expectSuccess(await desk.merchant.api('PUT', `${desk.store}/payment-method`, { sandbox: 'ok' }));
  expect((await invoices(desk)).map(({ state }) => state)).toEqual(['paid']);
  expect(amounts(await desk.payoutRun())).toEqual(['5000 paid']);
  expect(await desk.differences()).toEqual([]);
  const log = expectSuccess(await desk.merchant.api('GET', '/audit-log?limit=50')).json.data;
  expect(log.map(({ action }: Json) => action)).toContain('risk_case.reinvoiced');
});

test('invoices again what a creator was paid already: the operator bears it until the store pays', async () => {
  const desk = await fresh();
  await desk.collected([50_000]);
  expect(amounts(await desk.payoutRun())).toEqual(['5000 paid']);
  await desk.report('charge_refunded', { amount: 5_000 });
  const [found] = await openCases(desk);
  expectSuccess(await resolve(desk, 'reinvoice', found.id));
  expect(await desk.differences()).toEqual([]);
  expectSuccess(await desk.merchant.api('PUT', `${desk.store}/payment-method`, { sandbox: 'ok' }));
  expect(await desk.payoutRun()).toEqual([]);
  expect(await desk.differences()).toEqual([]);
});

test.each(['dispute_lost', 'reinvoice'] as const)('takes a booked loss back when the whole charge is taken back by %s', async (how) => {
  const desk = await fresh();
  expectSuccess(await resolve(desk, 'book-loss', await refunded(desk, 2_000)));
  if (how === 'dispute_lost') await desk.report('dispute_lost');
  else {
    await desk.report('charge_refunded', { amount: 5_000 });
    const [more] = await openCases(desk);
    expectSuccess(await resolve(desk, 'reinvoice', more.id));
  }
  expect(await balances(desk)).toEqual({ owed: 5_000, to_creators: -5_000 });
  expect(await desk.differences()).toEqual([]);
});

test('rejects what the provider report does not support, and changes nothing', async () => {
  const desk = await fresh();
  const caseId = await refunded(desk, 2_000);
  const before = await balances(desk);
  const inPart = await resolve(desk, 'reinvoice', caseId);
  expect([inPart.status, inPart.json.message]).toEqual([422, expect.stringContaining('refunded in full')]);
  expect((await desk.merchant.api('POST', `/risk/cases/${caseId}/book-loss`, {})).status).toBe(400);
  await desk.report('dispute_lost');
  for (const how of ['book-loss', 'reinvoice'] as const) {
    const taken = await resolve(desk, how, caseId);
    expect([taken.status, taken.json.message]).toEqual([409, expect.stringContaining('dispute')]);
  }
  const dispute = (await openCases(desk)).find(({ rule }) => rule === 'card_dispute');
  expect((await resolve(desk, 'book-loss', dispute?.id)).status).toBe(422);
  expect(before).toMatchObject({ collected: 5_000 });
  expect((await resolve(desk, 'book-loss', 'case_00000000000000000000000000')).status).toBe(404);
  expect(await desk.differences()).toEqual([]);
});

test('rejects a refund without an amount from the provider', async () => {
  const desk = await fresh();
  await desk.collected([50_000]);
  await desk.report('charge_refunded', { amount: null });
  const [found] = await openCases(desk);
  for (const how of ['book-loss', 'reinvoice'] as const) expect((await resolve(desk, how, found.id)).status).toBe(422);
});

test('a refund is booked once, however many operators ask at the same time', async () => {
  const desk = await fresh();
  const caseId = await refunded(desk, 5_000);
  const ways = ['book-loss', 'reinvoice', 'book-loss', 'reinvoice'] as const;
  const came = await Promise.all([...ways.map((how) => resolve(desk, how, caseId)), desk.report('charge_refunded', { amount: 5_000 })]);
  const statuses = came.slice(0, ways.length).map((one) => (typeof one === 'number' ? one : one.status));
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
  expect(await desk.differences()).toEqual([]);
});

test('an operator in the team of the store cannot book its refund', async () => {
  const desk = await fresh();
  const caseId = await refunded(desk, 5_000);
  const other = await anotherOperator(desk.merchant);
  expectSuccess(await other('PUT', '/operator-rules', { in_force: true }));
  const userId = readPublicId('user', (await other('GET', '/session')).json.actor);
  invariant(userId, 'a session has a user');
  const { database, storeId } = desk.merchant;
  await insertRole(database, { userId, storeId, role: 'viewer', now: new Date() });
  for (const how of ['book-loss', 'reinvoice'])
    expect((await other('POST', `/risk/cases/${caseId}/${how}`, { reason: 'It is mine.' })).status).toBe(422);
  expectSuccess(await other('PUT', '/operator-rules', { in_force: false }));
});
