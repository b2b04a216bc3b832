import { Type as T } from 'typebox';
import { arrivalKinds } from '../rollups/rollups-sql.ts';
import { earningKinds, leadKind, lostKind, saleKinds } from '../rollups/sales-totals-sql.ts';
import { findStore, statusOf, type Store } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { centsField, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { firstIdAt } from '../core/ids.ts';
import { dayOf, plusDays } from '../core/time.ts';
import { comparedRange, comparisons } from './compared-range.ts';
import type { DayRange } from './day-range.ts';
import { parsePeriod, periodFields } from './period-query.ts';
import {
  countForMenu,
  listDayTotals,
  readOwedCents,
  findLastPostback,
  countFailedPostbacks,
  countPendingWork,
  type DayTotals,
} from './overview-sql.ts';

const integer = T.Integer();
const totalsFields = {
  clicks: integer,
  filtered_arrivals: T.Integer({ description: 'Bots, previews, prefetches, and other requests that are not visits by people' }),
  leads: T.Integer({ description: 'Reported leads, such as sign-ups, trials, and booked calls' }),
  orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
  revenue_cents: centsField(),
  commission_cents: centsField('The commissions of these orders and leads as recorded, before reviews and refunds'),
  earned_cents: centsField('The commissions of these orders, leads, and bonuses, without rejected and reversed ones'),
  refunds: integer,
  refunded_cents: centsField(),
  approved: integer,
  approved_cents: centsField(),
  paid: T.Integer({ description: 'Commissions that reached their creators' }),
  paid_cents: centsField(),
};

const rangeTotals = T.Object({ ...totalsFields, effective_rate_basis_points: orNull(integer) });
const rangeDays = T.Array(T.Object({ day: T.String(), ...totalsFields }));
const owedField = centsField('Unpaid commissions of orders up to the last day, without rejected and reversed ones');

const approvingSoonDays = 2;
const countMax = 10_000;
const failedDays = 7;

export const overviewEndpoint = endpoint({
  summary: 'Get an overview of a store: open tasks, tracking health, and results of a period',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    {
      ...periodFields,
      compare: T.Optional(
        T.Enum(comparisons, {
          description:
            'Adds the metrics of another range: as many days directly before (for the days of a month, those of the month before)',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: namedObject('StoreOverview', {
    from: T.String(),
    to: T.String(),
    owed_cents: owedField,
    compared: orNull(
      T.Object(
        {
          from: T.String(),
          to: T.String(),
          is_complete: T.Boolean({ description: 'False if the store was created after the first of these days' }),
          owed_cents: owedField,
          totals: rangeTotals,
          days: rangeDays,
        },
        { description: 'Null without compare' },
      ),
    ),
    waiting: T.Object({
      to_review: T.Integer({ description: `At most ${countMax}` }),
      to_review_cents: centsField(),
      approving_themselves: integer,
      held: integer,
      held_subscriptions: integer,
      unpaid_invoices: integer,
      applications: integer,
      open_disputes: T.Integer({ description: 'Rejections that a creator disputes' }),
    }),
    tracking: T.Object({
      status: T.Enum(['active', 'past_due', 'archived']),
      tracking_on: T.Boolean(),
      last_postback_at: orNull(T.String()),
      refused: T.Array(T.Object({ reason: T.String(), count: integer }), { description: `In the last ${failedDays} days` }),
    }),
    totals: rangeTotals,
    days: rangeDays,
  }),
  async handle({ db, ids, query, now }) {
    const range = parsePeriod(query, now);
    if (isRefusal(range)) return range;
    const store = await findStore(db, ids.store);
    if (store === null) return notFound;
    const soon = plusDays(now, approvingSoonDays);
    const [waiting, refused, last, metrics, compared] = await Promise.all([
      countPendingWork(db, ids.store, { soon, most: countMax }),
      countFailedPostbacks(db, ids.store, firstIdAt(plusDays(now, -failedDays))),
      findLastPostback(db, ids.store),
      readRange(db, ids.store, range),
      query.compare === undefined ? null : readCompared(db, store, comparedRange(range, query.compare)),
    ]);
    return {
      ...metrics,
      compared,
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
    };
  },
});

async function readRange(db: Queryable, storeId: Store['storeId'], range: DayRange) {
  const [days, owed] = await Promise.all([listDayTotals(db, storeId, range), readOwedCents(db, storeId, range.to)]);
  const totals = totalsOf(days);
  return {
    ...range,
    owed_cents: owed,
    totals: { ...totals, effective_rate_basis_points: effectiveRate(totals) },
    days: [...Map.groupBy(days, ({ day }) => day)].map(([day, of]) => ({ day, ...totalsOf(of) })),
  };
}

const readCompared = async (db: Queryable, { storeId, createdAt }: Store, range: DayRange) => ({
  ...(await readRange(db, storeId, range)),
  is_complete: range.from >= dayOf(createdAt),
});

const menuCountMax = 100;
const menuCount = (description: string) => T.Integer({ description: `${description}; at most ${menuCountMax}` });

export const pendingWorkEndpoint = endpoint({
  summary: 'Count the items that need a decision or an action of the store',
  access: { allow: 'store', permission: 'store:read' },
  reply: namedObject('PendingWork', {
    to_review: menuCount('Pending commissions that are not on hold'),
    open_disputes: menuCount('Rejections that a creator disputes'),
    unpaid_invoices: menuCount('Invoices that could not be charged'),
    applications: menuCount('Creators who ask to join a program'),
  }),
  async handle({ db, ids }) {
    const counts = await countForMenu(db, ids.store, menuCountMax);
    return {
      to_review: Number(counts.toReview),
      open_disputes: Number(counts.openDisputes),
      unpaid_invoices: Number(counts.unpaidInvoices),
      applications: Number(counts.applications),
    };
  },
});

const saleKindSet = new Set<string>(saleKinds);
const earningKindSet = new Set<string>(earningKinds);
const filteredKindSet = new Set<string>(arrivalKinds.filter((kind) => kind !== 'click'));

function totalsOf(days: readonly DayTotals[]) {
  const of = (is: (what: string) => boolean, figure: 'eligibleCents' | 'commissionCents'): bigint =>
    days.filter(({ what }) => is(what)).reduce((sum, day) => sum + day[figure], 0n);
  const countOf = (is: (what: string) => boolean): number =>
    Number(days.filter(({ what }) => is(what)).reduce((sum, day) => sum + day.count, 0n));
  const named = (word: string) => (what: string) => what === word;
  const isSale = (what: string) => saleKindSet.has(what);
  const isEarning = (what: string) => isSale(what) || what === leadKind;
  const earned = of((what) => earningKindSet.has(what), 'commissionCents');
  return {
    clicks: countOf(named('click')),
    filtered_arrivals: countOf((what) => filteredKindSet.has(what)),
    leads: countOf(named(leadKind)),
    orders: countOf(isSale),
    revenue_cents: of(isSale, 'eligibleCents'),
    commission_cents: of(isEarning, 'commissionCents'),
    earned_cents: earned - of(named(lostKind), 'commissionCents'),
    refunds: countOf(named('reversal')),
    refunded_cents: of(named('reversal'), 'eligibleCents'),
    approved: countOf(named('approved')),
    approved_cents: of(named('approved'), 'commissionCents'),
    paid: countOf(named('paid')),
    paid_cents: of(named('paid'), 'commissionCents'),
  };
}

const basisPointsMax = 10_000n;
const effectiveRate = ({ revenue_cents: revenue, commission_cents: commission }: ReturnType<typeof totalsOf>): number | null =>
  revenue === 0n ? null : Number((commission * basisPointsMax * 2n + revenue) / (revenue * 2n));
