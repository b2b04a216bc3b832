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
async function expectRates(read: Read, world: World): Promise<void> {
  const store = `/stores/${world.store.id}`;
  const program = `${store}/programs/${world.program.id}`;
  const { data: groups } = await read('GET', `${program}/groups`);
  expect(groups.map(({ name }: Json) => name)).toEqual(['Podcasts and newsletters']);
  const { data: versions } = await read('GET', `${program}/terms`);
  expect(versions.map(({ own_rates: own, tiers, budget }: Json) => [own?.length, tiers?.tiers.length, budget !== undefined])).toEqual([
    [2, 2, true],
    [undefined, undefined, false],
    [undefined, undefined, false],
  ]);
  const { budget, program_month_used_cents: used } = await read('GET', `${program}/budget`);
  expect(used).toBeLessThan(budget.program_month_cents);
  const { data: commissions } = await read('GET', `${store}/commissions?limit=200`);
  const explained = commissions.map(({ explanation }: Json) => explanation).join('\n');
  for (const words of ['(tier 1 since', '(tier 2 since', 'Podcasts and newsletters']) expect(explained).toContain(words);
  // The list is of the newest ones, and the log below of all.
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

async function expectTerms(read: Read, world: World): Promise<void> {
  await expectCodes(read, `/stores/${world.store.id}`);
  await expectRates(read, world);
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
