import { chargeOpenInvoices } from '../../billing/run-billing.ts';
import { issueInvoice } from '../../billing/issue-invoice.ts';
import { inspectPage } from '../../capture/inspect-page.ts';
import { withClick } from '../../clicks/landing-url.ts';
import { type KeyRing, openKeyRing } from '../../clicks/signing-keys.ts';
import { insertTestLink, markTestLinkOpened } from '../../clicks/test-links-sql.ts';
import { noFilter } from '../../commissions/commission-filter.ts';
import { createCreator } from '../../creators/create-creator.ts';
import { createLink } from '../../creators/links.ts';
import { addMember } from '../../creators/members.ts';
import { insertCheck, saveCheckResult } from '../../integration/page-checks-sql.ts';
import { mintClickId } from '../../contract/click-id.ts';
import { listPostbackKeys, touchPostbackKey } from '../../merchants/postback-keys-sql.ts';
import { deliverStoreEarnings } from '../../payouts/deliver-earnings.ts';
import { payCreator } from '../../payouts/run-payouts.ts';
import { recordAuditEntry } from '../../people/audit.ts';
import { findUserByEmail } from '../../people/users-sql.ts';
import type { Database } from '../../db/database.ts';
import { historyLock } from '../../db/advisory-locks.ts';
import { isRefusal } from '../../http/responses.ts';
import { type Id, newId, publicId, readPublicId } from '../../core/ids.ts';
import { invariant } from '../../core/invariant.ts';
import type { Platform } from '../../runtime/platform.ts';
import { dayMs, hourMs, minuteMs, plusDays } from '../../core/time.ts';
import { type Money, openProviders } from '../../payments/providers.ts';
import { reviewByFilter } from '../../review/bulk-review.ts';
import type { ReviewAction } from '../../review/decide-review.ts';
import { type Random, createRandom } from './random.ts';
import { openDemoStore, type DemoStore, type DemoLink } from './demo-store.ts';
import { seedWorld } from './seed.ts';

const yearDays = 365;
/** The test order turns tracking on; only then can the programs be published. */
const testedAfterMs = 5 * minuteMs;
const openedAfterMs = 10 * minuteMs;
const randomSeed = 20_260_301;
const names = ['Ada Bloom', 'Ben Okoro', 'Carla Voss', 'Dario Lind', 'Emi Tanaka', 'Farid Noor', 'Greta Holm'] as const;

/**
 * A year of a demo store: visits, orders, refunds, subscriptions, reviews, invoices, and payouts, created by the same functions as
 * real ones, with a clock that moves through the past. The random numbers are the same in each run.
 */
export async function seedHistory(platform: Platform, days = yearDays): Promise<Awaited<ReturnType<typeof seedWorld>>> {
  // The service's own jobs use the current time: they wait until the history is written.
  const lock = await historyLock(platform.jobsDatabase, 'history');
  try {
    return await writePast(platform, days);
  } finally {
    await lock?.release();
  }
}

async function writePast(platform: Platform, days: number): Promise<Awaited<ReturnType<typeof seedWorld>>> {
  const random = createRandom(randomSeed);
  const today = startOfDay(platform.clock.now());
  const past = createPast(platform, plusDays(today, -days));
  const begin = past.platform.clock.now();
  const openedAt = new Date(begin.getTime() + openedAfterMs);
  const world = await seedWorld(past.platform, { testedAt: new Date(begin.getTime() + testedAfterMs), openedAt });
  const year = await openYear(past.platform, world, { random, openedAt });
  await sendTestOrder(year, past);
  for (let day = 0; day < days; day++) {
    const morning = plusDays(today, day - days);
    await visitFor(year, morning, { random, grown: day / days });
    renewFor(year, morning, random);
    year.agenda.push({ at: new Date(morning.getTime() + 5 * hourMs), run: () => runMoneyJobs(year, past, morning) });
    if ([1, 4].includes(morning.getUTCDay())) {
      const at = new Date(morning.getTime() + 9 * hourMs);
      year.agenda.push({ at, run: () => reviewFor(year, past, { at, random }) });
    }
    await runAgenda(year, past, plusDays(morning, 1));
  }
  year.close();
  return world;
}

/** Everything happens in its order of time: what an event makes due later on the same day is run on that day too. */
async function runAgenda(year: Year, { moveTo }: Past, until: Date): Promise<void> {
  for (;;) {
    const next = year.agenda.filter(({ at }) => at < until).toSorted((one, other) => one.at.getTime() - other.at.getTime())[0];
    if (next === undefined) return;
    year.agenda.splice(year.agenda.indexOf(next), 1);
    moveTo(next.at);
    await next.run();
  }
}

/** The same platform at another time. */
type Past = { readonly platform: Platform; readonly moveTo: (moment: Date) => void };

function createPast(platform: Platform, start: Date): Past {
  let moment = start;
  const jobsPlatform = { ...platform, database: platform.jobsDatabase };
  return {
    platform: { ...jobsPlatform, clock: { now: () => moment, refresh: async () => {} } },
    moveTo: (next) => void (moment = next),
  };
}

type Subscription = { readonly id: string; readonly boundAt: Date; invoices: number; isEnded: boolean };
type Event = { readonly at: Date; readonly run: () => Promise<void> };
type Year = {
  readonly storeId: Id<'store'>;
  readonly store: { readonly id: string; readonly siteUrl: string };
  readonly database: Database;
  readonly postbackKeyId: Id<'pbkey'>;
  readonly merchant: { readonly actor: string; readonly name: string };
  readonly creatorIds: ReadonlyArray<Id<'crt'>>;
  readonly links: ReadonlyArray<DemoLink & { readonly pull: number }>;
  readonly ring: KeyRing;
  readonly past: DemoStore;
  readonly subscriptions: Subscription[];
  /** What is still to come, in no order. */
  readonly agenda: Event[];
  /** As a person of the store would leave in the audit log. */
  readonly audit: (at: Date, action: string, path: string, details: object) => Promise<void>;
  orders: number;
  readonly close: () => void;
};

type Opening = { readonly random: Random; readonly openedAt: Date };

/** The store of the seed with more creators, each with a link that pulls more or less. */
async function openYear(platform: Platform, world: Awaited<ReturnType<typeof seedWorld>>, { random, openedAt }: Opening): Promise<Year> {
  const storeId = readPublicId('store', world.store.id);
  const programId = readPublicId('prog', world.program.id);
  const first = readPublicId('crt', world.creator.id);
  invariant(storeId && programId && first, 'the seed names what it made');
  const at = platform.clock.now();
  const { database } = platform;
  const creatorIds: Array<Id<'crt'>> = [first];
  const links: Array<DemoLink & { readonly pull: number }> = [];
  for (const name of names) {
    const email = `${name.toLowerCase().replace(' ', '.')}-${world.store.id.slice(-6)}@creators.example`;
    const { creatorId } = await database.transaction((tx) => createCreator(tx, { name, email, sandboxMethod: 'ok', at }));
    creatorIds.push(creatorId);
    await database.transaction((tx) => addMember(tx, { storeId, programId, creatorId, at: openedAt }));
  }
  for (const creatorId of creatorIds) {
    const made = await database.transaction((tx) =>
      createLink(tx, { storeId, programId, creatorId, destinationUrl: null, code: null, at: openedAt }),
    );
    invariant(!isRefusal(made), 'a member may have a link');
    links.push({ storeId, programId, creatorId, linkNumber: made.linkNumber, pull: random.whole(3, 40) });
  }
  const [key] = await listPostbackKeys(database, storeId, { after: null, limit: 1 });
  const user = await findUserByEmail(database, world.logins.merchant.email);
  invariant(key && user, 'the seed made a postback key and an owner');
  const ring = await openKeyRing(platform);
  const postbackKeyId = key.postbackKeyId;
  const past = openDemoStore(platform, ring, { storeId, postbackKeyId });
  const merchant = { actor: publicId('user', user.userId), name: user.name };
  const store = { id: world.store.id, siteUrl: world.store.site_url };
  const audit: Year['audit'] = (when, action, path, details) =>
    recordAuditEntry(database, {
      at: when,
      actor: merchant.actor,
      actorName: merchant.name,
      storeId,
      creatorId: null,
      action,
      subject: `/api/v1/stores/${store.id}${path}`,
      details,
      requestId: newId(when),
      addressHash: null,
    });
  const program = `/programs/${world.program.id}`;
  await audit(at, 'store.create', '', { site_url: store.siteUrl });
  await audit(at, 'payment_method.set', '/payment-method', { sandbox: 'ok' });
  await audit(at, 'postback_key.create', '/postback-keys', {});
  await audit(openedAt, 'program.create', '/programs', { name: 'Friends of the shop' });
  await audit(openedAt, 'terms.add', `${program}/terms`, { pays: 'order' });
  await audit(openedAt, 'program.publish', `${program}/publish`, {});
  for (const creatorId of creatorIds) {
    await audit(openedAt, 'member.add', `${program}/members`, { creator_id: publicId('crt', creatorId) });
    await audit(openedAt, 'link.create', `${program}/links`, { creator_id: publicId('crt', creatorId) });
  }
  const made = { database, storeId, store, postbackKeyId, merchant, creatorIds, links, ring, past, audit };
  return { ...made, subscriptions: [], agenda: [], orders: 0, close: ring.close };
}

/** What a developer of the store does once, by the same functions: tag, test link, test order, and its refund. */
async function sendTestOrder(year: Year, { platform, moveTo }: Past): Promise<void> {
  const { database, config } = platform;
  const { storeId, store, ring, past } = year;
  const begin = platform.clock.now();
  const at = (minutes: number) => new Date(begin.getTime() + minutes * minuteMs);
  const html = `<!doctype html><html><head><script src="${config.baseUrl}/api/pn/sdk/v1.js" defer></script></head><body>Store</body></html>`;
  const page = { url: store.siteUrl, status: 200, headers: { 'content-type': 'text/html' }, html, isCut: false };
  const found = { ...inspectPage(page, config.baseUrl), status: 200, endedAt: store.siteUrl, contentSecurityPolicy: null };
  const checkId = newId<'ichk'>(at(1));
  await insertCheck(database, { storeId, checkId, at: at(1), requestedAt: at(1), pageUrl: store.siteUrl });
  await saveCheckResult(database, { storeId, checkId }, found);

  const { text, clickId } = mintClickId({ kind: 'test', at: at(2), linkNumber: 0n, keys: ring.keys() });
  const testLinkId = newId<'tlink'>(at(2));
  const url = withClick(store.siteUrl, text);
  await insertTestLink(database, { storeId, testLinkId, clickId, url, createdAt: at(2), expiresAt: plusDays(at(2), 1) });
  await year.audit(at(2), 'test_link.create', '/test-links', {});
  await markTestLinkOpened(database, { storeId, testLinkId }, at(3));
  moveTo(new Date(begin.getTime() + testedAfterMs));
  const testOrder = { order_id: 'test-1', click_id: text, currency: 'USD', order_subtotal_cents: 1_000, test: true };
  await past.order({ ...testOrder, occurred_at: at(4).toISOString() }, platform.clock.now());
  await past.refund({ order_id: 'test-1', reason: 'test' }, at(6));
  await touchPostbackKey(database, { storeId, postbackKeyId: year.postbackKeyId }, at(6));
}

type Day = { readonly random: Random; readonly grown: number };

/** Business grows over the year, and weekends are busier. A visit of 38 leads to an order, at a moment that is kept in the agenda. */
async function visitFor(year: Year, morning: Date, { random, grown }: Day): Promise<void> {
  const season = (0.6 + 0.8 * grown) * ([0, 6].includes(morning.getUTCDay()) ? 1.3 : 1);
  for (const link of year.links) {
    const visits = Math.round(link.pull * season * (0.5 + random.part()));
    const at = Array.from({ length: visits }, () => new Date(morning.getTime() + hourMs + Math.floor(random.part() * 22 * hourMs)));
    const clicks = await year.past.visit(link, at, random.whole(0, Math.ceil(visits / 4)));
    for (const [place, click] of clicks.entries()) {
      const clickedAt = at[place];
      if (clickedAt !== undefined && random.isOneIn(38)) planSale(year, click, { clickedAt, random });
    }
  }
}

type Sale = { readonly clickedAt: Date; readonly random: Random };

/** An order minutes to days after the click; some subscribe instead, some come too late. */
function planSale(year: Year, click: string, { clickedAt, random }: Sale): void {
  const waited = random.isOneIn(25)
    ? random.whole(31, 36) * dayMs
    : Math.floor(random.part() ** 3 * 9 * dayMs) + random.whole(2, 90) * minuteMs;
  const at = new Date(clickedAt.getTime() + waited);
  const isSubscription = random.isOneIn(9);
  year.agenda.push({
    at,
    run: async () => {
      year.orders += 1;
      const number = 1_000 + year.orders;
      await (isSubscription ? subscribe(year, click, { id: `sub-${number}`, at }) : order(year, click, { id: `#${number}`, at, random }));
      await touchPostbackKey(year.database, { storeId: year.storeId, postbackKeyId: year.postbackKeyId }, at);
    },
  });
}

type Ordered = { readonly id: string; readonly at: Date; readonly random: Random };

/** Of sixteen orders one comes back: most before it was billed, the others are refused by then. */
async function order(year: Year, click: string, { id, at, random }: Ordered): Promise<void> {
  const cents = Math.round(1_900 + random.part() ** 2 * 26_000);
  const report = { order_id: id, click_id: click, currency: 'USD', order_subtotal_cents: cents, occurred_at: at.toISOString() };
  await year.past.order({ ...report, order_name: id, customer_id: `customer-${random.whole(1, 900)}` }, new Date(at.getTime() + 3_000));
  if (!random.isOneIn(16)) return;
  const refundAt = new Date(at.getTime() + random.whole(2, 24) * dayMs);
  year.agenda.push({ at: refundAt, run: () => year.past.refund({ order_id: id, reason: 'returned' }, refundAt) });
}

const plan = { product_id: 'plan-basic', price_id: 'price-monthly', currency: 'USD', environment: 'live' } as const;
const planCents = 2_900;

async function subscribe(year: Year, click: string, { id, at }: { readonly id: string; readonly at: Date }): Promise<void> {
  const later = new Date(at.getTime() + 2_000);
  await year.past.bind({ ...plan, event_id: `${id}-bind`, relationship_id: id, click_id: click }, later);
  const subscription: Subscription = { id, boundAt: at, invoices: 0, isEnded: false };
  year.subscriptions.push(subscription);
  await sendInvoice(year, subscription, new Date(later.getTime() + 1_000));
}

async function sendInvoice(year: Year, subscription: Subscription, at: Date): Promise<void> {
  subscription.invoices += 1;
  const { id, invoices } = subscription;
  const ids = { event_id: `${id}-bill-${invoices}`, relationship_id: id, invoice_id: `${id}-${invoices}` };
  await year.past.invoice(
    { ...plan, ...ids, payment_state: 'paid', amount_paid_minor_units: planCents, occurred_at: at.toISOString() },
    at,
  );
}

/** Each month from the day of the first; one in twelve has had enough. */
function renewFor(year: Year, morning: Date, random: Random): void {
  for (const subscription of year.subscriptions) {
    const due = new Date(subscription.boundAt.getTime() + subscription.invoices * 30 * dayMs);
    if (subscription.isEnded || due < morning || due >= plusDays(morning, 1)) continue;
    const ends = random.isOneIn(12);
    subscription.isEnded = ends;
    const end = { event_id: `${subscription.id}-end`, relationship_id: subscription.id, environment: 'live' };
    year.agenda.push({ at: due, run: () => (ends ? year.past.end(end, due) : sendInvoice(year, subscription, due)) });
  }
}

type Deciding = { readonly at: Date; readonly random: Random };

/** Mondays and Thursdays the merchant reviews: a few are rejected with a reason, one is held, what is older than three days is approved. */
async function reviewFor(year: Year, { platform }: Past, { at, random }: Deciding): Promise<void> {
  const decide = async (action: ReviewAction, filter: Partial<typeof noFilter>, about: object) => {
    const review = { storeId: year.storeId, action, by: year.merchant, now: () => at };
    const { counts } = await reviewByFilter(platform.database, review, { ...noFilter, state: 'pending', ...filter });
    const { do: word, ...details } = action;
    if (counts.ok > 0) await year.audit(at, `commissions.${word}`, `/commissions/${word}`, { ...details, filter: about, counts });
  };
  if (year.orders > 0 && random.isOneIn(2)) {
    const orderId = `#${1_000 + Math.max(1, year.orders - random.whole(0, 12))}`;
    const reason = random.oneOf(['own order', 'returned', 'coupon site']);
    await decide({ do: 'reject', reason, note: null }, { orderId }, { order_id: orderId });
  }
  if (year.orders > 0 && random.isOneIn(14)) {
    const orderId = `#${1_000 + year.orders}`;
    await decide({ do: 'hold', reason: 'fraud_review', note: 'Checking with the customer' }, { orderId }, { order_id: orderId });
  }
  const to = plusDays(at, -3);
  await decide({ do: 'approve', note: null }, { held: false, to }, { held: false, to: to.toISOString() });
}

/** What the scheduled jobs do, for this store and its creators only. */
async function runMoneyJobs(year: Year, { platform }: Past, morning: Date): Promise<void> {
  const day = morning.getUTCDate();
  const now = platform.clock.now();
  const money: Money = { platform, providers: openProviders(platform) };
  await issueInvoice(money, { storeId: year.storeId, now, moment: day === 1 ? 'cut' : 'day', minimum: null });
  await chargeOpenInvoices(money, year.storeId, now);
  // What was collected is in the creators' books on the same day, and not when the service's own job comes to it.
  await deliverStoreEarnings(platform, year.storeId, now);
  if (day !== 1 && day !== 15) return;
  const run = {
    payoutRunId: newId<'prun'>(now),
    startedBy: 'system',
    startedByUserId: null,
    minimum: null,
    isDry: false,
    unassessed: new Set<string>(),
    now,
  };
  // Other worlds of this sandbox live at the time of now: nothing of theirs is delivered or paid here.
  for (const creatorId of year.creatorIds) await payCreator(money, creatorId, { ...run, creatorId });
}

const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / dayMs) * dayMs);
