import { expect, test } from 'vitest';
import { seedHistory } from '../../src/commands/seed/history.ts';
import { startTestService, type World } from '../support/service.ts';
import type { Json } from '../support/merchant.ts';

const days = 75;

type Read = (method: string, path: string) => Promise<Json>;

/** Orders earn by clicks, codes, and returning customers, and no setting contradicts another. */
async function expectCodes(read: Read, store: string): Promise<void> {
  const { data: codes } = await read('GET', `${store}/codes?sort=code`);
  expect(codes.map(({ code }: Json) => code)).toEqual(['BEN10', 'CLARA10', 'SLOW10']);
  expect(Math.max(...codes.map(({ orders }: Json) => orders))).toBeGreaterThan(0);
  const { data: orders } = await read('GET', `${store}/commissions?limit=200`);
  expect(new Set(orders.map(({ attributed_by: by }: Json) => by))).toEqual(new Set(['click', 'code', 'customer', null]));
  const { data: leads } = await read('GET', `${store}/commissions?q=sign-up-&limit=200`);
  expect(new Set(leads.map(({ lead_kind: kind }: Json) => kind))).toEqual(new Set(['sign_up']));
  expect(Math.max(...leads.map(({ amount_cents: amount }: Json) => amount))).toBe(100);
  expect(await read('GET', `${store}/attribution-warnings`)).toEqual({ data: [], next_cursor: null });
}

/** Orders earn by every level of rules, partial refunds reduce commissions, and the budget covers all orders. */
async function expectRates(read: Read, world: World, commissions: readonly Json[]): Promise<void> {
  const store = `/stores/${world.store.id}`;
  const program = `${store}/programs/${world.program.id}`;
  const { data: groups } = await read('GET', `${program}/groups`);
  expect(groups.map(({ name }: Json) => name)).toEqual(['Podcasts and newsletters']);
  const { data: versions } = await read('GET', `${program}/terms`);
  expect(versions.map(({ own_rates: own, tiers, budget }: Json) => [own?.length, tiers?.tiers.length, budget !== undefined])).toEqual([
    [2, 2, true],
    [2, 2, true],
    [undefined, undefined, false],
    [undefined, undefined, false],
  ]);
  const { budget, program_month_used_cents: used } = await read('GET', `${program}/budget`);
  expect(used).toBeLessThan(budget.program_month_cents);
  const explained = commissions.map(({ explanation }) => explanation).join('\n');
  for (const words of ['(tier 1 since', '(tier 2 since', 'Podcasts and newsletters']) expect(explained.includes(words), words).toBe(true);
  expect(commissions.some(({ refunded_cents: cents }: Json) => cents > 0)).toBe(true);
  const { data: refunded } = await read('GET', `${store}/tracking-log?reason=recorded&operation=order_refund&limit=100`);
  expect(refunded.length).toBeGreaterThan(3);
}

/** Creators find a described program with a logo, texts and files to share, a message, and a leaderboard. */
async function expectShowcase(read: Read, world: World): Promise<void> {
  const program = `/stores/${world.store.id}/programs/${world.program.id}`;
  const page = await read('GET', `${program}/page`);
  expect(page.faq.length).toBe(3);
  expect(page.logo).toMatchObject({ type: 'image/png' });
  const { data: assets } = await read('GET', `${program}/assets`);
  expect(assets.map(({ name }: Json) => name).toSorted()).toEqual([
    'About Harbor Coffee',
    'Caption for a brew video',
    'brand-guide.pdf',
    'gift-box.png',
  ]);
  const { data: team } = await read('GET', `/stores/${world.store.id}/team`);
  expect(team.map(({ role }: Json) => role).toSorted()).toEqual(['finance', 'marketer', 'owner']);
  const { data: messages } = await read('GET', `/stores/${world.store.id}/creator-messages`);
  expect(messages).toMatchObject([{ subject: 'Holiday gift boxes are here', recipients: { waiting: 0 } }]);
}

/** Rules with conditions applied to some orders, and were skipped for others. */
function expectConditions(commissions: readonly Json[]): void {
  const explained = commissions.map(({ explanation }) => explanation).join('\n');
  for (const words of [
    '(the program’s rate, for orders of at least 60.00 USD)',
    '(the rate of the group Podcasts and newsletters, for new customers)',
    'A rule of 12% for orders of at least 60.00 USD (the program’s rate) was skipped',
    'A rule of 16% for new customers (the rate of the group Podcasts and newsletters) was skipped: the customer has ordered before',
  ])
    expect(explained.includes(words), words).toBe(true);
}

/** The merchant and the goals of the terms added bonuses; those of the last days wait for a review. */
function expectBonuses(commissions: readonly Json[]): void {
  const bonuses = commissions.filter(({ bonus }) => bonus !== null).map(({ bonus, ...rest }) => ({ ...rest, ...bonus }));
  expect(bonuses.filter(({ added_by_name: by }) => by === 'Maya Lindqvist')).toMatchObject([
    { creator_name: 'Clara Reyes', amount_cents: 1_500, state: 'pending' },
    { creator_name: 'Emi Tanaka', amount_cents: 7_500, state: 'approved' },
    { creator_name: 'Farid Noor', amount_cents: 4_000, approved_at: expect.any(String) },
  ]);
  const reached = bonuses.filter(({ added_by_name: by }) => by === 'goal of the terms');
  const amounts = Map.groupBy(reached, ({ reason }) => reason.replace(/ in \d{4}-\d\d$/, ''));
  expect([...amounts].map(([reason, of]) => [reason, ...new Set(of.map(({ amount_cents: cents }) => cents))]).toSorted()).toEqual([
    ['Goal reached: 12 approved orders', 2_500],
    ['Goal reached: the first approved order', 1_000],
  ]);
}

/** A worse version was announced, accepted by one creator, and has started; the former one is kept for clicks from before. */
async function expectNotice(read: Read, world: World, commissions: readonly Json[]): Promise<void> {
  const program = `/stores/${world.store.id}/programs/${world.program.id}`;
  const { data: versions } = await read('GET', `${program}/terms`);
  expect(versions.map(({ version, announced, notice_days: notice }: Json) => [version, announced, notice])).toEqual([
    [4, true, 7],
    [3, undefined, 7],
    [2, undefined, undefined],
    [1, undefined, undefined],
  ]);
  const [{ made_at: madeAt, effective_from: from }] = versions;
  expect(Date.parse(from) - Date.parse(madeAt)).toBe(7 * 86_400_000);
  const { acceptances } = await read('GET', `${program}/terms/acceptances`);
  expect(acceptances).toMatchObject([{ version: 4, creator_name: 'Clara Reyes' }]);
  const explained = commissions.map(({ explanation }) => explanation).join('\n');
  for (const words of ['because the creator accepted it on', 'came before version 4 took effect on'])
    expect(explained.includes(words), words).toBe(true);
  const emails = await allOf(read, '/mails?limit=200');
  const notices = emails.filter(({ subject }: Json) => subject.includes('the terms of Harbor Coffee Partners change on'));
  const informed = notices.map(({ to }: Json) => to.split('-')[0]).toSorted();
  // The terms of the others do not change: they have own rates or are in a group with own rates.
  expect(informed).toEqual(['clara.reyes', 'dario.conti', 'emi.tanaka', 'farid.noor', 'tom.whitfield']);
  expect(new Set(notices.map(({ made_at: at }: Json) => at))).toEqual(new Set([madeAt]));
}

async function allOf(read: Read, path: string): Promise<readonly Json[]> {
  const pages = async (cursor: string): Promise<readonly Json[]> => {
    const { data, next_cursor: next } = await read('GET', `${path}${cursor}`);
    return next === null ? data : [...data, ...(await pages(`&cursor=${next}`))];
  };
  return pages('');
}

async function expectTerms(read: Read, world: World): Promise<void> {
  await expectCodes(read, `/stores/${world.store.id}`);
  const commissions = await allOf(read, `/stores/${world.store.id}/commissions?limit=200`);
  await expectRates(read, world, commissions);
  expectConditions(commissions);
  expectBonuses(commissions);
  await expectNotice(read, world, commissions);
  await expectShowcase(read, world);
}

test(
  'the seeded history consists of real postbacks, reviews, invoices, and payouts in chronological order, and every book agrees',
  { timeout: 120_000 },
  async () => {
    const service = await startTestService();
    const world = await seedHistory(service.platform, days);
    const read = async (method: string, path: string): Promise<Json> => {
      const response = await fetch(`${service.url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${world.operator_key}` } });
      return response.json();
    };
    const from = new Date(service.platform.clock.now().getTime() - (days + 1) * 86_400_000).toISOString().slice(0, 10);
    const { totals } = await read('GET', `/stores/${world.store.id}/overview?from=${from}`);
    const { rows: top } = await read('GET', `/stores/${world.store.id}/breakdown?by=creator&from=${from}`);
    expect(totals.clicks).toBeGreaterThan(3_000);
    expect(totals.filtered_arrivals).toBeGreaterThan(100);
    expect(totals.orders).toBeGreaterThan(60);
    expect(totals.refunds).toBeGreaterThan(0);
    expect(totals.approved).toBeGreaterThan(30);
    expect(totals.paid).toBeGreaterThan(10);
    expect(top.length).toBeGreaterThan(3);
    const { data: invoices } = await read('GET', `/stores/${world.store.id}/invoices`);
    expect(invoices.map(({ state }: Json) => state)).toContain('paid');
    const [retried, ...otherRetried] = invoices.filter(({ failures }: Json) => failures > 0);
    expect(otherRetried).toEqual([]);
    const { charges } = await read('GET', `/stores/${world.store.id}/invoices/${retried.id}`);
    expect([retried.state, ...charges.map(({ state }: Json) => state)]).toEqual(['paid', 'declined', 'succeeded']);
    const { data: disputes } = await read('GET', `/stores/${world.store.id}/disputes`);
    expect(disputes).toMatchObject([{ state: 'open', creator_id: world.creator.id }]);
    const disputed = await read('GET', `/stores/${world.store.id}/commissions/${disputes[0].commission_id}`);
    expect(disputed).toMatchObject({ state: 'rejected', creator_id: world.creator.id });
    const { data: applied } = await read('GET', `/stores/${world.store.id}/creators?status=applied`);
    expect(applied.map(({ creator_name: name }: Json) => name)).toEqual(['Priya Raman', 'Lukas Berger']);
    const { data: paid } = await read('GET', `/stores/${world.store.id}/commissions?state=paid`);
    expect(paid.length).toBeGreaterThan(0);
    const { data: relationships } = await read('GET', `/stores/${world.store.id}/relationships`);
    expect(relationships.length).toBeGreaterThan(0);
    const { data: refused } = await read('GET', `/stores/${world.store.id}/tracking-log?status=422`);
    expect(refused.map(({ reason }: Json) => reason)).toContain('attribution_window_expired');
    const { lights: checks } = await read('GET', `/stores/${world.store.id}/integration`);
    expect(checks.filter((light: Json) => !light.is_on)).toEqual([]);
    const passedAt = (name: string): number => Date.parse(checks.find(({ light }: Json) => light === name).at);
    expect(passedAt('link_opened')).toBeLessThan(passedAt('test_order'));
    expect(passedAt('tracking_on')).toBe(passedAt('test_order'));
    const { data: audit } = await read('GET', `/stores/${world.store.id}/audit-log`);
    const { data: emails } = await read('GET', `/stores/${world.store.id}/mails`);
    const invoiced = emails.filter(({ subject }: Json) => subject.includes('invoice INV-'));
    expect([...new Set(invoiced.map(({ made_at: at }: Json) => at))]).toEqual(invoices.map(({ issued_at: at }: Json) => at));
    expect(new Set(audit.map(({ actor_name: name }: Json) => name))).toEqual(new Set(['Maya Lindqvist']));
    expect(audit.map(({ action }: Json) => action)).toContain('commissions.approve');
    const { data: log } = await read('GET', `/stores/${world.store.id}/tracking-log?limit=100`);
    const times = log.map((line: Json) => line.at);
    expect(times).toEqual(times.toSorted().toReversed());
    const paidOut = (await Promise.all(top.map(({ key: id }: Json) => read('GET', `/creators/${id}/payouts`)))).flatMap(({ data }) => data);
    expect(paidOut.length).toBeGreaterThan(0);
    for (const { key: id } of top)
      for (const month of new Set(paidOut.map((payout: Json) => payout.made_at.slice(0, 7)))) {
        const { closing } = await read('GET', `/creators/${id}/statement?period=${month}`);
        expect(closing.available_cents, `${id} in ${month}`).toBeGreaterThanOrEqual(0);
      }
    await expectTerms(read, world);
    expect(await read('POST', '/ledger/verify')).toMatchObject({ ok: true, differences: [] });
    await service.stop();
  },
);
