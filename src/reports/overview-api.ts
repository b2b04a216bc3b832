import { Type as T } from 'typebox';
import { namesOfCreators } from '../creators/creators-sql.ts';
import { arrivalKinds } from '../figures/arrivals.ts';
import { lostKind, soldKinds } from '../figures/sold-sql.ts';
import { findStore, statusOf } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound } from '../platform/http/answers.ts';
import { centsField, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { firstIdAt, publicId } from '../platform/ids.ts';
import { plusDays } from '../platform/time.ts';
import { dayField, readDays } from './day-range.ts';
import { daysOfStore, lastPostback, refusedSince, topCreators, waitingFor, type DaySum } from './overview-sql.ts';

const whole = T.Integer();
const sums = {
  clicks: whole,
  filtered_arrivals: T.Integer({ description: 'Bots, previews, prefetches and what else is no person arriving' }),
  orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
  revenue_cents: centsField(),
  commission_cents: centsField('Of these orders as they were recorded, before any review or refund'),
  earned_cents: centsField('Of these orders, without what was rejected or reversed since'),
  refunds: whole,
  refunded_cents: centsField(),
  approved: whole,
  approved_cents: centsField(),
  paid: T.Integer({ description: 'Commissions that reached their creators' }),
  paid_cents: centsField(),
};

const daysMax = 800;
const usualDays = 30;
const approvingSoonDays = 2;
const countedMost = 10_000;
const creatorsShown = 5;
const refusedDays = 7;

export const overviewEndpoint = endpoint({
  summary: 'A store at a glance: what waits, how tracking is, and the figures of a range of days',
  access: { who: 'store', permission: 'store:read' },
  query: T.Object(
    {
      from: T.Optional(dayField('The first day, in UTC')),
      to: T.Optional(dayField('The last day; today')),
      days: T.Optional(
        T.Integer({ minimum: 1, maximum: daysMax, description: `Without from: how many days up to the last; ${usualDays}` }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: T.Object({
    from: T.String(),
    to: T.String(),
    waiting: T.Object({
      to_review: T.Integer({ description: `At most ${countedMost}` }),
      to_review_cents: centsField(),
      approving_themselves: whole,
      held: whole,
      held_subscriptions: whole,
      unpaid_invoices: whole,
      applications: whole,
      open_disputes: T.Integer({ description: 'Rejections that a creator objects to' }),
    }),
    tracking: T.Object({
      status: T.String(),
      tracking_on: T.Boolean(),
      last_postback_at: orNull(T.String()),
      refused: T.Array(T.Object({ reason: T.String(), count: whole }), { description: `Of the last ${refusedDays} days` }),
    }),
    totals: T.Object({ ...sums, effective_rate_basis_points: orNull(whole) }),
    days: T.Array(T.Object({ day: T.String(), ...sums })),
    top_creators: T.Array(
      T.Object({
        creator_id: T.String(),
        name: T.String(),
        clicks: whole,
        orders: whole,
        revenue_cents: centsField(),
        commission_cents: centsField(),
        earned_cents: centsField(),
      }),
    ),
  }),
  async handle({ db, ids, query, now }) {
    const range = readDays(query, now, { usualDays: query.days ?? usualDays, daysMax });
    if (isRefusal(range)) return range;
    const store = await findStore(db, ids.store);
    if (store === null) return notFound;
    const soon = plusDays(now, approvingSoonDays);
    const [waiting, refused, last, days, creators] = await Promise.all([
      waitingFor(db, ids.store, { soon, most: countedMost }),
      refusedSince(db, ids.store, firstIdAt(plusDays(now, -refusedDays))),
      lastPostback(db, ids.store),
      daysOfStore(db, ids.store, range),
      topCreators(db, ids.store, range, creatorsShown),
    ]);
    const names = await namesOfCreators(
      db,
      creators.map(({ creatorId }) => creatorId),
    );
    const totals = sumsOf(days);
    return {
      ...range,
      waiting: {
        to_review: Number(waiting.toReview),
        to_review_cents: waiting.toReviewCents,
        approving_themselves: Number(waiting.approvingThemselves),
        held: Number(waiting.held),
        held_subscriptions: Number(waiting.heldRelationships),
        unpaid_invoices: Number(waiting.unpaidInvoices),
        applications: Number(waiting.applications),
        open_disputes: Number(waiting.openDisputes),
      },
      tracking: {
        status: statusOf(store),
        tracking_on: store.trackingOnAt !== null,
        last_postback_at: isoTimeOrNull(last?.at ?? null),
        refused: refused.map(({ reason, count }) => ({ reason, count: Number(count) })),
      },
      totals: { ...totals, effective_rate_basis_points: rateOf(totals) },
      days: [...Map.groupBy(days, ({ day }) => day)].map(([day, of]) => ({ day, ...sumsOf(of) })),
      top_creators: creators.map((one) => ({
        creator_id: publicId('crt', one.creatorId),
        name: names.get(one.creatorId) ?? '',
        clicks: Number(one.clicks),
        orders: Number(one.orders),
        revenue_cents: one.revenueCents,
        commission_cents: one.commissionCents,
        earned_cents: one.earnedCents,
      })),
    };
  },
});

const sold = new Set<string>(soldKinds);
const filtered = new Set<string>(arrivalKinds.filter((kind) => kind !== 'click'));

function sumsOf(days: readonly DaySum[]) {
  const of = (is: (what: string) => boolean, figure: 'eligibleCents' | 'commissionCents'): bigint =>
    days.filter(({ what }) => is(what)).reduce((sum, day) => sum + day[figure], 0n);
  const countOf = (is: (what: string) => boolean): number =>
    Number(days.filter(({ what }) => is(what)).reduce((sum, day) => sum + day.count, 0n));
  const named = (word: string) => (what: string) => what === word;
  const isSale = (what: string) => sold.has(what);
  return {
    clicks: countOf(named('click')),
    filtered_arrivals: countOf((what) => filtered.has(what)),
    orders: countOf(isSale),
    revenue_cents: of(isSale, 'eligibleCents'),
    commission_cents: of(isSale, 'commissionCents'),
    earned_cents: of(isSale, 'commissionCents') - of(named(lostKind), 'commissionCents'),
    refunds: countOf(named('reversal')),
    refunded_cents: of(named('reversal'), 'eligibleCents'),
    approved: countOf(named('approved')),
    approved_cents: of(named('approved'), 'commissionCents'),
    paid: countOf(named('paid')),
    paid_cents: of(named('paid'), 'commissionCents'),
  };
}

const wholeShare = 10_000n;
const rateOf = ({ revenue_cents: revenue, commission_cents: commission }: ReturnType<typeof sumsOf>): number | null =>
  revenue === 0n ? null : Number((commission * wholeShare * 2n + revenue) / (revenue * 2n));
