import { afterAll, expect, test } from 'vitest';
import { scheduleOf } from '../../src/app/schedule.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { insertHold, type HoldScope } from '../../src/holds/holds-sql.ts';
import { insertRole } from '../../src/people/team-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, readPublicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, hourMs } from '../../src/core/time.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { anotherOperator, signInTo } from '../support/operator-payouts.ts';
import { anotherRiskWorld, approveAll, asInLiveMode, giveAllAway, openRiskWorld, runBilling, type RiskWorld } from '../support/risk.ts';

/** One person, or two colluders, on both sides of a program: they pay by card, get paid out, and dispute the charge. */
const first = await openRiskWorld();
afterAll(() => first.merchant.service.stop());

async function fresh(isLikeLive = true): Promise<RiskWorld> {
  const world = await anotherRiskWorld(first);
  await (isLikeLive ? asInLiveMode(world) : world.settings({}));
  return world;
}

const withoutHold = async ({ merchant, store }: RiskWorld) =>
  expectSuccess(await merchant.api('PATCH', `${store}/programs/${merchant.world.program.id}`, { hold_days: 0 }));

const commissions = async ({ merchant, store }: RiskWorld): Promise<readonly Json[]> =>
  expectSuccess(await merchant.api('GET', `${store}/commissions`)).json.data;

test('neither invoices nor pays one person on both sides until an operator releases their commissions', async () => {
  const world = await fresh();
  await giveAllAway(world);
  const { email } = world.merchant.world.logins.merchant;
  const me = await world.newCreator(email.replace('@', '+creator@').toUpperCase());
  await world.sold([200_000, 150_000], me.url);
  await approveAll(world);
  expect(await runBilling(world)).toEqual([]);
  const all = await commissions(world);
  expect(all.map(({ held }) => held)).toMatchObject([
    { reason: 'fraud_review', by: 'system' },
    { reason: 'fraud_review', by: 'system' },
  ]);
  // Later orders are recorded as usual, and held within a minute.
  await world.sold([50_000], me.url);
  await world.maintainCases();
  const ids = (await commissions(world)).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  const released = expectSuccess(await world.merchant.api('POST', `${world.store}/commissions/release`, { ids })).json;
  expect(released.counts).toMatchObject({ ok: 0, held: 3 });
  await world.merchant.moveClock('14d');
  expect(await world.payoutRun(me.id)).toEqual([]);
  const [found] = await world.cases(`rule=same_person&creator_id=${me.id}`);
  expect(found).toMatchObject({ state: 'open', enforced: true, evidence: [{ what: 'Same email address', found: '1 in common' }] });
  await world.release(found.id);
  expect((await commissions(world)).map(({ held }) => held)).toEqual([null, null, null]);
  await approveAll(world);
  expect(await runBilling(world)).toMatchObject([{ total_cents: 400_000, state: 'paid' }]);
  // The store's first payments, and a rate of 100%, are still kept back.
  expect(await world.payoutRun(me.id)).toEqual([]);
  expect(await world.differences()).toEqual([]);
});

test('a scheduled run that is late assesses what it invoices, and not what could be invoiced when it was due', async () => {
  const world = await fresh();
  await withoutHold(world);
  const { merchant, store } = world;
  const { platform } = merchant.service;
  const due = platform.clock.now();
  await moveSandboxClock(platform.jobsDatabase, platform.clock, new Date(due.getTime() + 3 * hourMs));
  const me = await world.newCreator(merchant.world.logins.merchant.email.replace('@', '+late@'));
  await world.sold([200_000], me.url);
  await approveAll(world);
  const job = scheduleOf(openProviders(platform)).find(({ name }) => name === 'issue monthly invoices');
  await job?.run(platform, due, due);
  expect(await world.cases(`rule=same_person&creator_id=${me.id}`)).toMatchObject([{ state: 'open', enforced: true }]);
  expect(expectSuccess(await merchant.api('GET', `${store}/invoices`)).json.data).toEqual([]);
});

const spellings = { first: 'DE89 3704 0044 0532 0130 00', other: 'de89-3704-0044-0532-0130-00' };
const taxIds = { first: 'DE 123 456 789', other: 'de123456789' };
const taxDetails = (taxId: string) => ({ country: 'DE', legal_name: 'Any Name', tax_id: taxId });

test.each([
  [
    'payout account',
    'Same payout account',
    ['payout-method', { manual: { destination: spellings.first } }],
    ['payout-method', { manual: { destination: spellings.other } }],
  ],
  ['tax ID', 'Same tax ID', ['tax-details', taxDetails(taxIds.first)], ['tax-details', taxDetails(taxIds.other)]],
] as const)(
  'neither invoices nor pays if a team member of the store has the %s of its creator, however it is written',
  async (_what, evidence, [path, ofTeam], [, ofCreator]) => {
    const world = await fresh();
    const { merchant } = world;
    await withoutHold(world);
    const own = await ownerAsCreator(world);
    const creator = await world.newCreator(`${newId(new Date())}@creators.example`);
    expectSuccess(await merchant.api('PUT', `/creators/${own}/${path}`, ofTeam));
    expectSuccess(await merchant.api('PUT', `/creators/${creator.id}/${path}`, ofCreator));
    const stranger = await world.newCreator(`${newId(new Date())}@creators.example`);
    await world.sold([50_000], creator.url);
    await world.sold([30_000], stranger.url);
    await approveAll(world);
    expect(await runBilling(world)).toMatchObject([{ total_cents: 3_000 }]);
    const found = await world.cases(`rule=same_person&store_id=${merchant.world.store.id}`);
    expect(found).toMatchObject([
      { creator_id: creator.id, state: 'open', enforced: true, evidence: [{ what: evidence, found: '1 in common', compared: null }] },
    ]);
    // Neither the case nor the audit log shows the compared values.
    const shown = await merchant.api('GET', `/risk/cases/${found[0].id}`);
    for (const text of [shown.text, (await merchant.api('GET', '/audit-log?limit=50')).text])
      for (const value of [...Object.values(spellings), ...Object.values(taxIds)]) expect(text).not.toContain(value);
    await world.release(found[0].id);
    await approveAll(world);
    expect(await runBilling(world)).toMatchObject([{ total_cents: 5_000 }]);
    expect(await world.differences()).toEqual([]);
  },
);

test('a payout account that was replaced before the payout still shows the same person', async () => {
  const world = await fresh();
  const { merchant } = world;
  await withoutHold(world);
  const own = await ownerAsCreator(world);
  const creator = await world.newCreator(`${newId(new Date())}@creators.example`);
  const setAccount = async (id: string, destination: string) =>
    expectSuccess(await merchant.api('PUT', `/creators/${id}/payout-method`, { manual: { destination } }));
  await setAccount(own, spellings.first);
  await setAccount(creator.id, spellings.other);
  await setAccount(creator.id, 'FR14 2004 1010 0505 0001 3M02 606');
  await world.sold([50_000], creator.url);
  await approveAll(world);
  expect(await runBilling(world)).toEqual([]);
  expect(await world.cases(`rule=same_person&creator_id=${creator.id}`)).toMatchObject([{ evidence: [{ what: 'Same payout account' }] }]);
});

/** The owner of the store also becomes a creator, without joining a program of the store. */
async function ownerAsCreator({ merchant: { service, world } }: RiskWorld): Promise<string> {
  const me = await signInTo(service.url, world.logins.merchant);
  return expectSuccess(await me('POST', '/creators/me', {})).json.id;
}

test('the sandbox keeps nothing back by default, and shows what live mode would keep back', async () => {
  const world = await fresh(false);
  await giveAllAway(world);
  await world.sold([90_000]);
  await approveAll(world);
  expect(await runBilling(world)).toMatchObject([{ total_cents: 90_000, state: 'paid' }]);
  await world.merchant.moveClock('1d');
  const found = await world.cases('state=open&rule=full_commission');
  expect(found.find(({ store_id: id }) => id === world.merchant.world.store.id)).toMatchObject({ enforced: false });
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 90_000, state: 'paid' }]);
  expect(expectSuccess(await world.merchant.api('GET', '/risk/settings')).json).toMatchObject({
    mode: 'sandbox',
    effective: { enforce: false, reserve_days: 0 },
    live: { enforce: true, reserve_days: 30 },
  });
});

test('keeps a large first payout back until an operator releases it', async () => {
  const world = await fresh(false);
  await world.settings({ enforce: true, reserve_days: 0 });
  await world.collected([600_000]);
  expect(await world.payoutRun()).toEqual([]);
  const found = await world.cases(`creator_id=${world.merchant.world.creator.id}&state=open`);
  expect(found.map(({ rule }) => rule)).toContain('large_first_payout');
  const balance = expectSuccess(await world.merchant.api('GET', `${world.creator}/balance`)).json;
  expect(balance.blocks.map(({ reason }: Json) => reason)).toContain('under_review');
  for (const { id } of found) await world.release(id);
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 60_000, state: 'paid' }]);
  expect(await world.differences()).toEqual([]);
});

test('only operators can view, keep, escalate, and release cases, and a released case is final', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  await world.report('dispute_opened');
  const [found] = await world.cases('rule=card_dispute&state=open');
  const path = `/risk/cases/${found.id}`;
  const kept = expectSuccess(await world.merchant.api('POST', `${path}/keep`, { reason: 'The bank has not answered.' })).json;
  expect(kept.history.at(-1)).toMatchObject({ action: 'kept', reason: 'The bank has not answered.' });
  expect((await world.merchant.api('POST', `${path}/release`, {})).status).toBe(400);
  expect((await world.merchant.api('POST', `${path}/escalate`, { reason: 'It is fraud.', do: 'suspend_creator' })).status).toBe(422);
  const escalated = expectSuccess(
    await world.merchant.api('POST', `${path}/escalate`, { reason: 'It is fraud.', do: 'archive_store' }),
  ).json;
  expect(escalated).toMatchObject({ state: 'escalated' });
  expect(expectSuccess(await world.merchant.api('GET', world.store)).json.status).toBe('archived');
  expect(await world.payoutRun()).toEqual([]);
  await world.release(found.id);
  expect((await world.merchant.api('POST', `${path}/release`, { reason: 'Once more.' })).status).toBe(409);
  const log = expectSuccess(await world.merchant.api('GET', '/audit-log?limit=50')).json.data.map(({ action }: Json) => action);
  expect(log).toEqual(
    expect.arrayContaining(['risk_case.opened', 'risk_case.kept', 'risk_case.escalated', 'store.archive', 'risk_case.released']),
  );
  expect((await world.merchant.api('GET', '/risk/cases/case_00000000000000000000000000')).status).toBe(404);
  const anonymous = await fetch(`${world.merchant.service.url}/api/v1/risk/cases`);
  expect(anonymous.status).toBe(401);
});

test.each(['invoice', 'pair', 'store', 'creator'] as const)(
  'verification finds a payout that was sent despite the hold of a %s',
  async (of) => {
    const world = await fresh(false);
    await world.settings({});
    const { storeId, database } = world.merchant;
    const creatorId = readPublicId('crt', world.merchant.world.creator.id);
    invariant(creatorId, 'the seed names its creator');
    await world.collected([50_000]);
    const { invoiceId } = await database.one<{ invoiceId: Id<'inv'> }>(
      sql`select invoice_id from invoices where store_id = ${storeId} limit 1`,
    );
    expect(await world.payoutRun()).toMatchObject([{ amount_cents: 5_000, state: 'paid' }]);
    expect(await world.differences()).toEqual([]);
    const scope = scopes(of, { storeId, creatorId, invoiceId });
    const caseId = newId<'case'>(new Date());
    const holdFrom = (at: Date) => database.transaction((tx) => insertHold(tx, { scope, caseId, at }));
    // A hold that began after the payout was sent is not a finding.
    await holdFrom(new Date(world.merchant.at()));
    expect(await world.differences()).toEqual([]);
    await holdFrom(new Date(Date.parse(world.merchant.at()) - dayMs));
    expect(await world.differences()).toMatchObject([{ detail: expect.stringContaining(caseId) }]);
    await database.run(sql`delete from payout_holds where case_id = ${caseId}`);
    await database.run(sql`delete from creator_holds where case_id = ${caseId}`);
  },
);

type About = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly invoiceId: Id<'inv'> };

function scopes(of: HoldScope['of'], { storeId, creatorId, invoiceId }: About): HoldScope {
  if (of === 'creator') return { of, creatorId };
  if (of === 'store') return { of, storeId };
  return of === 'invoice' ? { of, storeId, invoiceId } : { of, storeId, creatorId, blocksBilling: false };
}

test('an operator can release neither their own commissions nor the reserve period of a store that they are in', async () => {
  const world = await fresh();
  const { merchant } = world;
  const other = await anotherOperator(merchant);
  expectSuccess(await other('PUT', '/operator-rules', { in_force: true }));
  await world.collected([50_000]);
  await world.report('dispute_opened');
  const [found] = await world.cases('rule=card_dispute&state=open');
  const release = () => other('POST', `/risk/cases/${found.id}/release`, { reason: 'It is fine.' });
  const endReserve = () => other('POST', `${world.store}/reserve/release`, { reason: 'It is fine.' });
  const userId = readPublicId('user', (await other('GET', '/session')).json.actor);
  const creatorId = readPublicId('crt', merchant.world.creator.id);
  invariant(userId && creatorId, 'the fixture names its user and its creator');
  const { database, storeId } = merchant;
  const before = await database.one<Json>(sql`select user_id from users where creator_id = ${creatorId}`);
  await database.run(sql`update users set creator_id = null where creator_id = ${creatorId}`);
  await database.run(sql`update users set creator_id = ${creatorId} where user_id = ${userId}`);
  for (const came of [await release(), await endReserve()]) {
    expect([came.status, came.json.message]).toEqual([422, expect.stringContaining('another operator must release it')]);
  }
  await database.run(sql`update users set creator_id = null where user_id = ${userId}`);
  await database.run(sql`update users set creator_id = ${creatorId} where user_id = ${before.userId}`);
  await insertRole(database, { userId, storeId, role: 'viewer', now: new Date() });
  expect([(await release()).status, (await endReserve()).status]).toEqual([422, 422]);
  await database.run(sql`delete from store_roles where user_id = ${userId} and store_id = ${storeId}`);
  expect([(await endReserve()).status, (await release()).status]).toEqual([200, 200]);
  expectSuccess(await other('PUT', '/operator-rules', { in_force: false }));
});
