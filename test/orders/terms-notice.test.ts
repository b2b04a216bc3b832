import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { sql } from '../../src/db/sql.ts';
import type { Json } from '../support/merchant.ts';
import { openProgram } from '../support/program.ts';

const opened = await openProgram();
const { merchant, program, commissionOf, sell } = opened;
afterAll(() => merchant.service.stop());
const membership = `/creators/${merchant.world.creator.id}/memberships/${opened.member.id}`;

const addTerms = (points: number, fields: object = {}) => opened.addTerms({ order_rules: [{ basis_points: points }], ...fields });
const nextTerms = async (): Promise<Json> => (await merchant.api('GET', `${membership}/next-terms`)).json.announced;
const accept = (version: number) => merchant.api('POST', `${membership}/accept-terms`, { version });
const cancel = (version: number) => merchant.api('POST', `${program}/terms/cancel`, { version });
const dayMs = 86_400_000;

test('a program without a notice adds worse terms immediately, and answers as before', async () => {
  const { json } = await addTerms(1_000);
  expect(Object.keys(json).filter((name) => /notice|announced|protect|canceled/.test(name))).toEqual([]);
  expect((await sell()).amount_cents).toBe(1_000);
  expect(await nextTerms()).toBeNull();
});

test('worse terms of a program with a notice are announced, and better ones start immediately', async () => {
  expectSuccess(await addTerms(1_000, { notice_days: 7 }));
  const { json: better } = await addTerms(1_200, { notice_days: 7 });
  expect([better.announced, better.effective_from]).toEqual([undefined, better.made_at]);
  const early = await addTerms(500, { notice_days: 7, effective_from: merchant.at(6 * dayMs) });
  expect([early.status, early.json.errors[0].field, early.json.errors[0].message]).toEqual([
    422,
    'effective_from',
    'must be at least 7 days from now, because these terms are worse for creators and the program promises that notice',
  ]);
  const preview = await merchant.api('POST', `${program}/terms-preview`, { order_rules: [{ basis_points: 500 }], notice_days: 7 });
  expect(Date.parse(preview.json.notice.effective_from)).toBeGreaterThan(Date.parse(merchant.at(6 * dayMs)));
  const { json: worse } = await addTerms(500, { notice_days: 7 });
  expect([worse.announced, Date.parse(worse.effective_from) - Date.parse(worse.made_at)]).toEqual([true, 7 * dayMs]);
  expect((await sell()).amount_cents).toBe(1_200);
  expect(await nextTerms()).toMatchObject({
    version: worse.version,
    effective_from: worse.effective_from,
    accepted_at: null,
    is_worse: true,
    changed: ['order_rule'],
    now: { rates: [{ level: 'program', order_rules: [{ basis_points: 1_200 }] }] },
    next: { rates: [{ level: 'program', order_rules: [{ basis_points: 500 }] }] },
  });
});

test('while a version is scheduled, another one and another setting are refused', async () => {
  const version = (await nextTerms()).version;
  for (const reply of [await addTerms(2_000), await merchant.api('PATCH', program, { hold_days: 10 })]) {
    expect([reply.status, reply.json.reason]).toEqual([409, 'conflict']);
    expect(reply.json.message).toContain('only one version can be scheduled');
  }
  expect((await nextTerms()).version).toBe(version);
});

test('an accepted version applies to the orders of the creator from then on, and says why', async () => {
  const before = await merchant.order({ order_subtotal_cents: 10_000 });
  const { version, effective_from: from } = await nextTerms();
  await merchant.moveClock('1m');
  const accepted = await accept(version);
  expect(accepted.json.announced.accepted_at).toEqual(expect.any(String));
  expect((await accept(version)).json).toEqual(accepted.json);
  expect((await commissionOf(await merchant.convert(before))).amount_cents).toBe(1_200);
  const commission = await sell();
  expect([commission.amount_cents, commission.terms_version]).toEqual([500, version]);
  expect(commission.explanation).toMatch(
    new RegExp(`Version ${version} of the terms applies, because the creator accepted it on .+ UTC, before .+ on ${from.slice(0, 10)}\\.`),
  );
  const { json: sales } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions`);
  expect(sales.data[0].explanation).toContain('because you accepted it on');
  const { json: simulation } = await merchant.api('POST', `${program}/simulate`, {
    order: { order_subtotal_cents: 10_000 },
    click_creator_id: merchant.world.creator.id,
  });
  expect(simulation.commission_cents).toBe(500);
  const { json: acceptances } = await merchant.api('GET', `${program}/terms/acceptances`);
  expect(acceptances.acceptances).toEqual([
    {
      version,
      creator_id: merchant.world.creator.id,
      creator_name: expect.any(String),
      accepted_at: accepted.json.announced.accepted_at,
    },
  ]);
});

test('a canceled version does not start, and applied to the orders between its acceptance and then', async () => {
  const { version } = await nextTerms();
  const between = await merchant.order({ order_subtotal_cents: 10_000 });
  await merchant.moveClock('1m');
  const canceled = await cancel(version);
  expect(canceled.json.canceled_at).toEqual(expect.any(String));
  expect((await cancel(version)).json).toEqual(canceled.json);
  expect(await nextTerms()).toBeNull();
  expect((await commissionOf(await merchant.convert(between))).amount_cents).toBe(500);
  expect((await sell()).amount_cents).toBe(1_200);
  await merchant.moveClock('8d');
  expect((await sell()).amount_cents).toBe(1_200);
  const inForce = (await merchant.api('GET', `${membership}/rates`)).json.terms_version;
  expect((await cancel(inForce)).json.reason).toBe('conflict');
  expect((await cancel(999)).status).toBe(422);
});

test('a longer hold is announced, and the settings of a canceled version are taken back', async () => {
  expectSuccess(await merchant.api('PATCH', program, { hold_days: 60 }));
  const next = await nextTerms();
  expect([next.changed, next.now.hold_days, next.next.hold_days]).toEqual([['hold_days'], 30, 60]);
  await cancel(next.version);
  expect((await merchant.api('GET', program)).json.hold_days).toBe(30);
  expectSuccess(await merchant.api('PATCH', program, { hold_days: 20 }));
  expect(await nextTerms()).toBeNull();
  expect((await accept(next.version)).json.reason).toBe('conflict');
});

test('the comparison has the values of all terms that may change', async () => {
  const goals = [{ orders: 10, period: 'month', amount_cents: 5_000 }];
  const { json: next } = await addTerms(800, { notice_days: 14, codes: 'when_no_click', goals });
  const { now, next: then } = await nextTerms();
  expect(now).toMatchObject({ notice_days: 7, codes: 'off', returning: null });
  expect(Object.keys(now)).not.toContain('goals');
  expect(then).toMatchObject({ notice_days: 14, codes: 'when_no_click', goals });
  await cancel(next.version);
});

test('a protected click keeps the former version, and says why', async () => {
  const click = await merchant.click();
  await merchant.moveClock('1m');
  const { json: next } = await addTerms(800, { notice_days: 7, protect_click_days: 10 });
  await merchant.moveClock('7d');
  await merchant.moveClock('1m');
  const kept = await sell({ click_id: click });
  expect([kept.amount_cents, kept.terms_version < next.version]).toEqual([1_200, true]);
  expect(kept.explanation).toMatch(
    new RegExp(`because the click on .+ UTC came before version ${next.version} took effect on ${next.effective_from.slice(0, 10)}\\.`),
  );
  expect((await sell()).amount_cents).toBe(800);
});

test('an accepted version applies to leads and subscriptions, too', async () => {
  const of = (points: number) => ({
    notice_days: 7,
    leads: [{ kind: 'sign_up', flat_cents: points, max_per_month: 1 }],
    subscription_rules: [{ basis_points: points }],
  });
  expectSuccess(await addTerms(800, of(300)));
  const { json: next } = await addTerms(700, of(200));
  await merchant.moveClock('1m');
  await accept(next.version);
  const named = { click_id: await merchant.click(), occurred_at: merchant.at() };
  expectSuccess(await merchant.post('v2/leads', { ...named, lead_id: 'accepted lead', kind: 'sign_up' }));
  // It exceeds the limit of the accepted version, and earns nothing.
  expectSuccess(await merchant.post('v2/leads', { ...named, lead_id: 'one too many', kind: 'sign_up' }));
  const plan = { event_id: 'accepted bind', relationship_id: 'accepted', environment: 'live', product_id: 'basic', currency: 'USD' };
  expectSuccess(await merchant.post('v2/recurring/relationships', { ...named, ...plan }));
  const versions = await merchant.database.all<{ readonly termsVersion: number; readonly amountCents: bigint }>(sql`
    select terms_version, amount_cents from commissions where source_text in ('accepted lead', 'one too many')
    union all select terms_version, basis_points::bigint from relationships where relationship_id = 'accepted'`);
  expect(versions.toSorted((one, other) => Number(other.amountCents - one.amountCents))).toEqual([
    { termsVersion: next.version, amountCents: 200n },
    { termsVersion: next.version, amountCents: 200n },
    { termsVersion: next.version, amountCents: 0n },
  ]);
});

test('the books agree, and name an order, a lead, and a subscription with the version of another one', async () => {
  const verify = async (): Promise<Json> => (await merchant.api('POST', '/ledger/verify')).json;
  expect(await verify()).toMatchObject({ ok: true, differences: [] });
  const changed = await merchant.database.all<{ readonly commissionId: string }>(sql`
    update commissions set terms_version = terms_version - 1 where earned -> 0 -> 'terms' is not null returning commission_id`);
  expect(changed.length).toBeGreaterThan(3);
  await merchant.database.run(sql`update relationships set terms_version = terms_version - 1 where relationship_id = 'accepted'`);
  const { differences } = await verify();
  const named = differences.filter(({ what }: Json) => what.startsWith('the version of the terms'));
  expect(named).toHaveLength(changed.length + 1);
  const kinds = ['order', 'lead', 'bind'];
  expect(kinds.filter((kind) => named.some(({ what }: Json) => what.includes(`of the ${kind},`)))).toEqual(kinds);
});
