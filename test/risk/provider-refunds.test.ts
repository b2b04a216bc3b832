import { afterAll, expect, test } from 'vitest';
import { insertRole } from '../../src/people/team-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { anotherOperator } from '../support/operator-payouts.ts';
import { anotherRiskWorld, openRiskWorld, type RiskWorld } from '../support/risk.ts';

/** A charge that was refunded manually at the payment provider: an operator books the loss or invoices the store again. */
const first = await openRiskWorld();
afterAll(() => first.merchant.service.stop());

const fresh = (): Promise<RiskWorld> => anotherRiskWorld(first);
const resolve = (world: RiskWorld, how: 'book-loss' | 'reinvoice', caseId: string) =>
  world.merchant.api('POST', `/risk/cases/${caseId}/${how}`, { reason: 'Support refunded it at Stripe.' });
const openCases = (world: RiskWorld) => world.cases(`state=open&store_id=${world.merchant.world.store.id}`);
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

async function refunded(world: RiskWorld, amount: number): Promise<string> {
  await world.collected([50_000]);
  expect(await world.report('charge_refunded', { amount })).toBe(200);
  const [found] = await openCases(world);
  return found.id;
}

test('books a refund in part as a loss of the operator, and pays the creator', async () => {
  const world = await fresh();
  const caseId = await refunded(world, 2_000);
  expect(await world.payoutRun()).toEqual([]);
  const before = await balances(world);
  const booked = expectSuccess(await resolve(world, 'book-loss', caseId)).json;
  expect(booked).toMatchObject({ id: caseId, state: 'released' });
  expect(booked.history.at(-1)).toMatchObject({
    action: 'released',
    resolution: 'loss_booked',
    amount_cents: 2_000,
    reason: 'Support refunded it at Stripe.',
  });
  const after = await balances(world);
  expect(after).toEqual({ ...before, collected: (before['collected'] ?? 0) - 2_000, fee: (before['fee'] ?? 0) + 2_000 });
  expect(await world.differences()).toEqual([]);
  expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);
  expect((await invoices(world)).map(({ state }) => state)).toEqual(['paid']);
  expect((await resolve(world, 'book-loss', caseId)).status).toBe(409);
  expect(await balances(world)).toEqual(after);
  const log = expectSuccess(await world.merchant.api('GET', '/audit-log?limit=50')).json.data;
  expect(log.map(({ action }: Json) => action)).toContain('risk_case.loss_booked');
  const month = world.merchant.at().slice(0, '2026-03'.length);
  const statement = (await world.merchant.api('GET', `${world.store}/statement?period=${month}`)).text;
  expect(statement).toContain('Refunded at the payment provider, at the operator’s cost');
});

test('books only the difference when more of a charge is refunded later', async () => {
  const world = await fresh();
  expectSuccess(await resolve(world, 'book-loss', await refunded(world, 2_000)));
  await world.report('charge_refunded', { amount: 5_000 });
  const [more] = await openCases(world);
  expect(expectSuccess(await resolve(world, 'book-loss', more.id)).json.history.at(-1)).toMatchObject({ amount_cents: 3_000 });
  expect(await balances(world)).toMatchObject({ fee: 5_000 });
  expect(await world.differences()).toEqual([]);
});

test('invoices the store again for a charge that was refunded in full, and pays the creator once it paid', async () => {
  const world = await fresh();
  const caseId = await refunded(world, 5_000);
  const again = expectSuccess(await resolve(world, 'reinvoice', caseId)).json;
  expect(again.history.at(-1)).toMatchObject({ action: 'released', resolution: 'reinvoiced', amount_cents: 5_000 });
  expect((await invoices(world)).map(({ state }) => state)).toEqual(['charged_back']);
  expect(expectSuccess(await world.merchant.api('GET', world.store)).json.status).toBe('past_due');
  expect(await world.differences()).toEqual([]);
  expect(await world.payoutRun()).toEqual([]);
  const [mail] = expectSuccess(await world.merchant.api('GET', '/mails?limit=200')).json.data.filter(
    ({ to }: Json) => to === world.merchant.world.logins.merchant.email,
  );
  expect(mail.subject).toContain('was refunded');
  expectSuccess(await world.merchant.api('PUT', `${world.store}/payment-method`, { sandbox: 'ok' }));
  expect((await invoices(world)).map(({ state }) => state)).toEqual(['paid']);
  expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);
  expect(await world.differences()).toEqual([]);
  const log = expectSuccess(await world.merchant.api('GET', '/audit-log?limit=50')).json.data;
  expect(log.map(({ action }: Json) => action)).toContain('risk_case.reinvoiced');
});

test('invoices again what a creator was paid already: the operator bears it until the store pays', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);
  await world.report('charge_refunded', { amount: 5_000 });
  const [found] = await openCases(world);
  expectSuccess(await resolve(world, 'reinvoice', found.id));
  expect(await world.differences()).toEqual([]);
  expectSuccess(await world.merchant.api('PUT', `${world.store}/payment-method`, { sandbox: 'ok' }));
  expect(await world.payoutRun()).toEqual([]);
  expect(await world.differences()).toEqual([]);
});

test.each(['dispute_lost', 'reinvoice'] as const)('takes a booked loss back when the whole charge is taken back by %s', async (how) => {
  const world = await fresh();
  expectSuccess(await resolve(world, 'book-loss', await refunded(world, 2_000)));
  if (how === 'dispute_lost') await world.report('dispute_lost');
  else {
    await world.report('charge_refunded', { amount: 5_000 });
    const [more] = await openCases(world);
    expectSuccess(await resolve(world, 'reinvoice', more.id));
  }
  expect(await balances(world)).toEqual({ owed: 5_000, to_creators: -5_000 });
  expect(await world.differences()).toEqual([]);
});

test('rejects what the provider report does not support, and changes nothing', async () => {
  const world = await fresh();
  const caseId = await refunded(world, 2_000);
  const before = await balances(world);
  const inPart = await resolve(world, 'reinvoice', caseId);
  expect([inPart.status, inPart.json.message]).toEqual([422, expect.stringContaining('refunded in full')]);
  expect((await world.merchant.api('POST', `/risk/cases/${caseId}/book-loss`, {})).status).toBe(400);
  await world.report('dispute_lost');
  for (const how of ['book-loss', 'reinvoice'] as const) {
    const taken = await resolve(world, how, caseId);
    expect([taken.status, taken.json.message]).toEqual([409, expect.stringContaining('dispute')]);
  }
  const dispute = (await openCases(world)).find(({ rule }) => rule === 'card_dispute');
  expect((await resolve(world, 'book-loss', dispute?.id)).status).toBe(422);
  expect(before).toMatchObject({ collected: 5_000 });
  expect((await resolve(world, 'book-loss', 'case_00000000000000000000000000')).status).toBe(404);
  expect(await world.differences()).toEqual([]);
});

test('rejects a refund without an amount from the provider', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  await world.report('charge_refunded', { amount: null });
  const [found] = await openCases(world);
  for (const how of ['book-loss', 'reinvoice'] as const) expect((await resolve(world, how, found.id)).status).toBe(422);
});

test('a refund is booked once, however many operators ask at the same time', async () => {
  const world = await fresh();
  const caseId = await refunded(world, 5_000);
  const ways = ['book-loss', 'reinvoice', 'book-loss', 'reinvoice'] as const;
  const came = await Promise.all([...ways.map((how) => resolve(world, how, caseId)), world.report('charge_refunded', { amount: 5_000 })]);
  const statuses = came.slice(0, ways.length).map((one) => (typeof one === 'number' ? one : one.status));
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
  expect(await world.differences()).toEqual([]);
});

test('an operator in the team of the store cannot book its refund', async () => {
  const world = await fresh();
  const caseId = await refunded(world, 5_000);
  const other = await anotherOperator(world.merchant);
  expectSuccess(await other('PUT', '/operator-rules', { in_force: true }));
  const userId = readPublicId('user', (await other('GET', '/session')).json.actor);
  invariant(userId, 'a session has a user');
  const { database, storeId } = world.merchant;
  await insertRole(database, { userId, storeId, role: 'viewer', now: new Date() });
  for (const how of ['book-loss', 'reinvoice'])
    expect((await other('POST', `/risk/cases/${caseId}/${how}`, { reason: 'It is mine.' })).status).toBe(422);
  expectSuccess(await other('PUT', '/operator-rules', { in_force: false }));
});
