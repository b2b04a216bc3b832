import { afterAll, expect, test } from 'vitest';
import { newId, publicId } from '../../src/core/ids.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { anotherRiskWorld, openRiskWorld, type RiskWorld } from '../support/risk.ts';

const first = await openRiskWorld();
afterAll(() => first.merchant.service.stop());

const fresh = (): Promise<RiskWorld> => anotherRiskWorld(first);
const balance = async (world: RiskWorld): Promise<Json> => expectSuccess(await world.merchant.api('GET', `${world.creator}/balance`)).json;
const amounts = (payouts: readonly Json[]) => payouts.map(({ amount_cents: amount, state }) => `${amount} ${state}`);

test.each([
  ['dispute_opened', 'card_dispute'],
  ['fraud_warning', 'fraud_warning'],
  ['charge_refunded', 'outside_refund'],
])('does not pay out what an invoice paid after %s until an operator releases it', async (about, rule) => {
  const world = await fresh();
  await world.collected([50_000]);
  expect(await world.report(about)).toBe(200);
  expect(await world.report(about)).toBe(200);
  const [found, ...others] = await world.cases();
  expect(others).toEqual([]);
  expect(found).toMatchObject({ rule, state: 'open', enforced: true, store_id: world.merchant.world.store.id });
  expect(await world.payoutRun()).toEqual([]);
  expect(await balance(world)).toMatchObject({ available_cents: 0, held_cents: 5_000, blocks: [{ reason: 'held', amount_cents: 5_000 }] });
  const [sale] = expectSuccess(await world.merchant.api('GET', `${world.creator}/commissions`)).json.data;
  expect(sale).toMatchObject({ pay: { word: 'held', at: null } });
  expect(sale.explanation).toContain('Its payout is under review by the platform.');
  const released = await world.release(found.id);
  expect(released).toMatchObject({ state: 'released', affected: { collected_cents: 5_000, paid_cents: 0 } });
  expect(released.history.map(({ action }: Json) => action)).toEqual(['opened', 'released']);
  // A repeated event has no effect, because an operator has decided.
  await world.report(about);
  expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);
  expect(await world.differences()).toEqual([]);
});

test('a won dispute releases what it kept back, in any order of events', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  await world.report('dispute_opened');
  expect(await world.payoutRun()).toEqual([]);
  await world.report('dispute_won');
  expect(await world.cases()).toMatchObject([{ rule: 'card_dispute', state: 'released' }]);
  expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);

  const other = await fresh();
  await other.collected([50_000]);
  await other.report('dispute_won');
  await other.report('dispute_opened');
  expect(await other.cases()).toEqual([]);
  expect(amounts(await other.payoutRun())).toEqual(['5000 paid']);
});

test('a lost dispute keeps money back even after the store pays again, in any order of events', async () => {
  for (const reports of [
    ['dispute_opened', 'dispute_lost'],
    ['dispute_lost', 'dispute_opened'],
  ]) {
    const world = await fresh();
    await world.collected([50_000]);
    for (const about of reports) expect(await world.report(about)).toBe(200);
    expectSuccess(await world.merchant.api('PUT', `${world.store}/payment-method`, { sandbox: 'ok' }));
    expectSuccess(await world.merchant.api('POST', '/billing-runs', { store_id: world.merchant.world.store.id, minimum_cents: 0 }));
    const [invoice] = expectSuccess(await world.merchant.api('GET', `${world.store}/invoices`)).json.data;
    expect(invoice.state).toBe('paid');
    expect(await world.payoutRun()).toEqual([]);
    const [open] = await world.cases(`state=open&store_id=${world.merchant.world.store.id}`);
    await world.release(open.id);
    expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);
    expect(await world.differences()).toEqual([]);
  }
});

test('a payout that waits for a second person fails when its charge is disputed, and the next run pays the rest', async () => {
  const world = await fresh();
  await world.collected([20_000]);
  await world.collected([50_000]);
  await world.secondPersonAbove(1_000);
  expect(amounts(await world.payoutRun())).toEqual(['7000 awaiting_second']);
  await world.report('dispute_opened');
  const [waiting] = await world.payouts();
  const confirmed = await world.merchant.api('POST', `/payouts/${waiting.id}/confirm`);
  expect(confirmed.status).toBe(422);
  // The run resumes unfinished payouts, then pays what is not kept back.
  expect(amounts(await world.payoutRun())).toEqual(['2000 awaiting_second']);
  expect(await world.payouts()).toMatchObject([
    { amount_cents: 2_000, state: 'awaiting_second' },
    { amount_cents: 7_000, state: 'failed', failure: { code: 'under_review' } },
  ]);
  await world.secondPersonAbove(null);
  expect(await world.differences()).toEqual([]);
});

test('a dispute that is reported between the draft of a payout and its sending stops the payout', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  const { crashPoints } = world.merchant.service.platform;
  crashPoints.onReached = (point) => {
    if (point === 'payouts: drafted') throw new Error('the process ends here');
  };
  expect(await world.payoutRun()).toMatchObject([{ amount_cents: 5_000, state: 'sending' }]);
  crashPoints.onReached = () => {};
  await world.report('dispute_opened');
  expect(await world.payoutRun()).toEqual([]);
  expect(await world.payouts()).toMatchObject([{ state: 'failed', sent_at: null, failure: { code: 'under_review' } }]);
  expect(await balance(world)).toMatchObject({ available_cents: 0, in_payout_cents: 0, paid_cents: 0, held_cents: 5_000 });
  expect(await world.differences()).toEqual([]);
});

test('shows what was paid before a warning as the exposure of its creator', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);
  await world.report('fraud_warning');
  const [found] = await world.cases();
  const shown = expectSuccess(await world.merchant.api('GET', `/risk/cases/${found.id}`)).json;
  expect(shown).toMatchObject({
    affected: { ahead_cents: 0, collected_cents: 0, in_payout_cents: 0, paid_cents: 5_000 },
    creators: [{ creator_id: world.merchant.world.creator.id, paid_cents: 5_000, open_cents: 0 }],
  });
  expect(await world.differences()).toEqual([]);
});

test('a larger refund than the released one opens another case', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  await world.report('charge_refunded', { amount: 100 });
  const [found] = await world.cases();
  await world.release(found.id);
  await world.report('charge_refunded', { amount: 100 });
  expect(await world.cases(`state=open&store_id=${world.merchant.world.store.id}`)).toEqual([]);
  await world.report('charge_refunded', { amount: 5_000 });
  expect(await world.cases(`state=open&store_id=${world.merchant.world.store.id}`)).toMatchObject([{ rule: 'outside_refund' }]);
});

test('an event that arrives before our own call is answered holds what that charge pays', async () => {
  const world = await fresh();
  await world.collected([50_000], 'timeout_done');
  const [invoice] = expectSuccess(await world.merchant.api('GET', `${world.store}/invoices`)).json.data;
  expect(invoice.state).toBe('unknown');
  expect(await world.report('dispute_opened')).toBe(200);
  await world.merchant.moveClock('1d');
  const [settled] = expectSuccess(await world.merchant.api('GET', `${world.store}/invoices`)).json.data;
  expect(settled.state).toBe('paid');
  expect(await world.payoutRun()).toEqual([]);
});

test('accepts an event about an unknown charge, and rejects a forged one', async () => {
  const world = await fresh();
  await world.collected([50_000]);
  expect(await world.report('dispute_opened', { reference: publicId('chg', newId<'chg'>(new Date())) })).toBe(200);
  expect(await world.report('dispute_opened', { reference: 'something else' })).toBe(200);
  const { url } = world.merchant.service;
  const forged = await fetch(`${url}/api/v1/providers/sandbox/news`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"about":"dispute_opened"}',
  });
  expect(forged.status).toBe(400);
  expect(await world.cases()).toEqual([]);
  expect(amounts(await world.payoutRun())).toEqual(['5000 paid']);
});

test.each([
  ['dispute_won', ['card_dispute released']],
  ['fraud_warning', ['fraud_warning open']],
  ['refunded', ['outside_refund open']],
  ['disputed', ['card_dispute open']],
])('the sandbox automatically reports the outcome of a method named %s', async (word, cases) => {
  const world = await fresh();
  await world.collected([50_000], word);
  await world.merchant.moveClock('2m');
  expect((await world.cases()).map(({ rule, state }) => `${rule} ${state}`)).toEqual(cases);
});

test('operators get one email about all new cases, with a link to them', async () => {
  const world = await fresh();
  await world.maintainCases();
  const before = (await mailsTo()).length;
  await world.collected([50_000]);
  await world.report('dispute_opened');
  await world.report('fraud_warning');
  await world.maintainCases();
  await world.maintainCases();
  const mails = await mailsTo();
  expect(mails.slice(0, mails.length - before)).toEqual(['2 new risk cases hold payouts']);

  async function mailsTo(): Promise<readonly string[]> {
    const { email } = world.merchant.world.logins.operator;
    const all = expectSuccess(await world.merchant.api('GET', '/mails?limit=200')).json.data;
    return all.filter(({ to }: Json) => to === email).map(({ subject }: Json) => subject);
  }
});

test('the bank list omits the destination while anything in the payout is on hold', async () => {
  const world = await fresh();
  const { merchant } = world;
  const account = 'DE89 3704 0044 0532 0130 00';
  expectSuccess(await merchant.api('PUT', `${world.creator}/payout-method`, { manual: { destination: account } }));
  await merchant.moveClock('4d');
  await world.collected([50_000]);
  expect(amounts(await world.payoutRun())).toEqual(['5000 sending']);
  const [payout] = await world.payouts();
  expect(await lineInFile()).toContain(`,${account},5000,USD,sending,manual`);

  await world.report('dispute_opened');
  expect(await lineInFile()).toContain(',,5000,USD,sending,manual');
  const [found] = await world.cases();
  await world.release(found.id);
  expect(await lineInFile()).toContain(`,${account},5000,USD,sending,manual`);

  // A reserve period that is set now keeps it back, too.
  await world.settings({ reserve_days: 30 });
  expect(await lineInFile()).toContain(',,5000,USD,sending,manual');
  await world.settings({});
  expect(await lineInFile()).toContain(`,${account},5000,USD,sending,manual`);

  async function lineInFile(): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
    const response = await fetch(`${merchant.service.url}/api/v1/payouts?state=sending&provider=manual`, { headers });
    expect(response.status).toBe(200);
    return (await response.text()).split('\n').find((line) => line.startsWith(payout.id));
  }
});
