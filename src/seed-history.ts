import { chargeOpen } from './billing/jobs.ts';
import { issueInvoice } from './billing/issue.ts';
import { openKeyRing } from './clicks/signing-keys.ts';
import { noFilter } from './commissions/filter.ts';
import { createCreator } from './creators/creators.ts';
import { createLink } from './creators/links.ts';
import { addMember } from './creators/members.ts';
import { listPostbackKeys } from './merchants/keys-sql.ts';
import { runPayouts } from './payouts/run.ts';
import { isRefusal } from './platform/http/answers.ts';
import { newId, readPublicId, type Id } from './platform/ids.ts';
import { must } from './platform/must.ts';
import type { Platform } from './platform/platform.ts';
import { dayMs, hourMs, minuteMs, plusDays } from './platform/time.ts';
import { openProviders, type Money } from './providers/providers.ts';
import { reviewByFilter } from './review/by-filter.ts';
import type { ReviewAction } from './review/decide-review.ts';
import { createChance, type Chance } from './seed-chance.ts';
import { openPastShop, type PastShop, type ShopLink } from './seed-shop.ts';
import { seedWorld } from './seed.ts';

const yearDays = 365;
const chanceSeed = 20_260_301;
const names = ['Ada Bloom', 'Ben Okoro', 'Carla Voss', 'Dario Lind', 'Emi Tanaka', 'Farid Noor', 'Greta Holm'] as const;

/**
 * A year of a shop for looking at: visits, orders, refunds, subscriptions, reviews, invoices and payouts, each made by the very
 * functions that make them in life, at a clock that is walked through the past. Chance comes out the same each time.
 */
export async function seedHistory(platform: Platform, days = yearDays): Promise<Awaited<ReturnType<typeof seedWorld>>> {
  const chance = createChance(chanceSeed);
  const today = platform.clock.now();
  const past = createPast(platform, plusDays(today, -days));
  const world = await seedWorld(past.platform);
  const shop = await openYear(past.platform, world, chance);
  for (let day = 0; day < days; day++) {
    const morning = plusDays(startOfDay(today), day - days);
    await sellFor(shop, morning, { chance, grown: day / days, today });
    await decideFor(shop, past, { morning, chance });
    await payFor(shop, past, morning);
  }
  shop.close();
  return world;
}

/** The same platform at another time. */
type Past = { readonly platform: Platform; readonly moveTo: (moment: Date) => void };

function createPast(platform: Platform, start: Date): Past {
  let moment = start;
  const night = { ...platform, database: platform.nightDatabase };
  return {
    platform: { ...night, clock: { now: () => moment, refresh: async () => {} } },
    moveTo: (next) => void (moment = next),
  };
}

type Subscription = { readonly id: string; readonly boundAt: Date; bills: number; isEnded: boolean };
type Year = {
  readonly storeId: Id<'store'>;
  readonly creatorIds: ReadonlyArray<Id<'crt'>>;
  readonly links: ReadonlyArray<ShopLink & { readonly pull: number }>;
  readonly past: PastShop;
  readonly subscriptions: Subscription[];
  readonly refunds: Array<{ readonly orderId: string; readonly at: Date }>;
  orders: number;
  readonly close: () => void;
};

/** The store of the seed with more creators, each with a link that pulls more or less. */
async function openYear(platform: Platform, world: Awaited<ReturnType<typeof seedWorld>>, chance: Chance): Promise<Year> {
  const storeId = readPublicId('store', world.store.id);
  const programId = readPublicId('prog', world.program.id);
  const first = readPublicId('crt', world.creator.id);
  must(storeId && programId && first, 'the seed names what it made');
  const at = platform.clock.now();
  const { database } = platform;
  const creatorIds: Array<Id<'crt'>> = [first];
  const links: Array<ShopLink & { readonly pull: number }> = [];
  for (const name of names) {
    const email = `${name.toLowerCase().replace(' ', '.')}-${world.store.id.slice(-6)}@creators.example`;
    const { creatorId } = await database.transaction((tx) => createCreator(tx, { name, email, sandboxMethod: 'ok', at }));
    creatorIds.push(creatorId);
    await database.transaction((tx) => addMember(tx, { storeId, programId, creatorId, at }));
  }
  for (const creatorId of creatorIds) {
    const made = await database.transaction((tx) =>
      createLink(tx, { storeId, programId, creatorId, destinationUrl: null, code: null, at }),
    );
    must(!isRefusal(made), 'a member may have a link');
    links.push({ storeId, programId, creatorId, linkNumber: made.linkNumber, pull: chance.whole(3, 40) });
  }
  const [key] = await listPostbackKeys(database, storeId, { after: null, limit: 1 });
  must(key, 'the seed made a postback key');
  const ring = await openKeyRing(platform);
  const past = openPastShop(platform, ring, { storeId, postbackKeyId: key.postbackKeyId });
  return { storeId, creatorIds, links, past, subscriptions: [], refunds: [], orders: 0, close: ring.close };
}

type Day = { readonly chance: Chance; readonly grown: number; readonly today: Date };

/** Business grows over the year, and weekends are busier. */
async function sellFor(year: Year, morning: Date, { chance, grown, today }: Day): Promise<void> {
  const season = (0.6 + 0.8 * grown) * ([0, 6].includes(morning.getUTCDay()) ? 1.3 : 1);
  for (const link of year.links) {
    const visits = Math.round(link.pull * season * (0.5 + chance.part()));
    const at = Array.from({ length: visits }, () => new Date(morning.getTime() + Math.floor(chance.part() * 22 * hourMs)));
    const clicks = await year.past.visit(link, at, chance.whole(0, Math.ceil(visits / 4)));
    for (const [place, click] of clicks.entries()) {
      const clickedAt = at[place];
      if (clickedAt !== undefined && chance.isOneIn(38)) await sell(year, click, { clickedAt, chance, today });
    }
  }
  await renew(year, morning, { chance, today });
  for (const refund of year.refunds.filter(({ at }) => at >= morning && at < plusDays(morning, 1)))
    await year.past.refund({ order_id: refund.orderId, reason: 'returned' }, refund.at);
}

type Sale = { readonly clickedAt: Date; readonly chance: Chance; readonly today: Date };

/** An order minutes to days after the click; some subscribe instead, some come too late, some of it comes back. */
async function sell(year: Year, click: string, { clickedAt, chance, today }: Sale): Promise<void> {
  const waited = chance.isOneIn(25)
    ? chance.whole(31, 36) * dayMs
    : Math.floor(chance.part() ** 3 * 9 * dayMs) + chance.whole(2, 90) * minuteMs;
  const at = new Date(clickedAt.getTime() + waited);
  if (at >= today) return;
  year.orders += 1;
  const number = 1_000 + year.orders;
  if (chance.isOneIn(9)) return subscribe(year, click, { id: `sub-${number}`, at });
  const subtotal = Math.round(1_900 + chance.part() ** 2 * 26_000);
  const order = { order_id: `#${number}`, click_id: click, currency: 'USD', order_subtotal_cents: subtotal, occurred_at: at.toISOString() };
  await year.past.order(
    { ...order, order_name: `#${number}`, customer_id: `customer-${chance.whole(1, 900)}` },
    new Date(at.getTime() + 3_000),
  );
  const refundAt = new Date(at.getTime() + chance.whole(2, 24) * dayMs);
  if (chance.isOneIn(16) && refundAt < today) year.refunds.push({ orderId: `#${number}`, at: refundAt });
}

const plan = { product_id: 'plan-basic', price_id: 'price-monthly', currency: 'USD', environment: 'live' } as const;
const planCents = 2_900;

async function subscribe(year: Year, click: string, { id, at }: { readonly id: string; readonly at: Date }): Promise<void> {
  const later = new Date(at.getTime() + 2_000);
  await year.past.bind({ ...plan, event_id: `${id}-bind`, relationship_id: id, click_id: click }, later);
  const subscription: Subscription = { id, boundAt: at, bills: 0, isEnded: false };
  year.subscriptions.push(subscription);
  await bill(year, subscription, new Date(later.getTime() + 1_000));
}

async function bill(year: Year, subscription: Subscription, at: Date): Promise<void> {
  subscription.bills += 1;
  const { id, bills } = subscription;
  const ids = { event_id: `${id}-bill-${bills}`, relationship_id: id, invoice_id: `${id}-${bills}` };
  await year.past.bill({ ...plan, ...ids, payment_state: 'paid', amount_paid_minor_units: planCents, occurred_at: at.toISOString() }, at);
}

/** Each month from the day of the first; one in twelve has had enough. */
async function renew(year: Year, morning: Date, { chance, today }: Pick<Day, 'chance' | 'today'>): Promise<void> {
  for (const subscription of year.subscriptions) {
    const due = new Date(subscription.boundAt.getTime() + subscription.bills * 30 * dayMs);
    if (subscription.isEnded || due < morning || due >= plusDays(morning, 1) || due >= today) continue;
    if (chance.isOneIn(12)) {
      subscription.isEnded = true;
      await year.past.end({ event_id: `${subscription.id}-end`, relationship_id: subscription.id, environment: 'live' }, due);
    } else await bill(year, subscription, due);
  }
}

type Deciding = { readonly morning: Date; readonly chance: Chance };

/** Mondays and Thursdays somebody looks: a few are refused with a reason, one is held, what is older than three days is approved. */
async function decideFor(year: Year, { platform, moveTo }: Past, { morning, chance }: Deciding): Promise<void> {
  if (![1, 4].includes(morning.getUTCDay())) return;
  const at = new Date(morning.getTime() + 9 * hourMs);
  moveTo(at);
  const decide = (action: ReviewAction, filter: Partial<typeof noFilter>) =>
    reviewByFilter(
      platform.database,
      { storeId: year.storeId, action, by: { actor: 'system', name: 'Mara Merchant' }, now: () => at },
      { ...noFilter, state: 'pending', ...filter },
    );
  if (year.orders > 0 && chance.isOneIn(2)) {
    const orderId = `#${1_000 + Math.max(1, year.orders - chance.whole(0, 12))}`;
    await decide({ do: 'reject', reason: chance.oneOf(['own order', 'returned', 'coupon site']), note: null }, { orderId });
  }
  if (year.orders > 0 && chance.isOneIn(14))
    await decide({ do: 'hold', reason: 'fraud_review', note: 'Looked into' }, { orderId: `#${1_000 + year.orders}` });
  await decide({ do: 'approve', note: null }, { held: false, to: plusDays(at, -3) });
}

/** What the night jobs do, for this store and its creators only. */
async function payFor(year: Year, { platform, moveTo }: Past, morning: Date): Promise<void> {
  const day = morning.getUTCDate();
  const now = new Date(morning.getTime() + 5 * hourMs);
  moveTo(now);
  const money: Money = { platform, providers: openProviders(platform) };
  await issueInvoice(money, { storeId: year.storeId, now, moment: day === 1 ? 'cut' : 'day', minimum: null });
  await chargeOpen(money, year.storeId, now);
  if (day !== 1 && day !== 15) return;
  const run = { payoutRunId: newId<'prun'>(now), startedBy: 'system', startedByUserId: null, minimum: null, isDry: false, now };
  for (const creatorId of year.creatorIds) await runPayouts(money, { ...run, creatorId });
}

const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / dayMs) * dayMs);
