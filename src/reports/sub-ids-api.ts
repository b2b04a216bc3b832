import { Type as T } from 'typebox';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal } from '../http/responses.ts';
import { centsField, namedObject, orNull, idField } from '../http/fields.ts';
import { pageFields, pageReply, readPage, wholeNumberShape } from '../http/page.ts';
import { firstIdAt, publicId, type Id } from '../core/ids.ts';
import { dayMs, dayOf, plusDays } from '../core/time.ts';
import { dayField, startOfUtcDay, parseDayRange, type DayRange } from './day-range.ts';
import { addSales, salesTotalsFields, showSales, type SalesTotals } from './sales-totals.ts';
import { countClicksBySubId, countClicksOfSubId, countOrdersBySubId, countOrdersOfSubId } from './sub-ids-sql.ts';

const subIdLengthMax = 200;
const defaultDays = 30;
const daysMax = 92;
/** For all stores together; takes about a tenth of a second. */
const clicksMax = 200_000;
const ordersMax = 5_000;
const rowsMax = 500;
const pageMax = 200;

const rangeQuery = {
  from: T.Optional(dayField(`The first day, in UTC; ${defaultDays} days up to the last one by default`)),
  to: T.Optional(dayField('The last day, in UTC; today by default')),
  store_id: T.Optional(idField()),
};
const isCompleteField = T.Boolean({
  description: `False: only the newest were counted; of a store's clicks at most ${clicksMax}. Ask for fewer days`,
});

/** A store that is not the creator's gives an empty list. */
async function storesOf(db: Queryable, creatorId: Id<'crt'>, requested: string | undefined): Promise<ReadonlyArray<Id<'store'>>> {
  const own = await listStoresOfCreator(db, creatorId);
  return requested === undefined ? own : own.filter((storeId) => publicId('store', storeId) === requested);
}

/** The clicks that are read of one of several stores. */
const clicksPerStore = (stores: number): number => Math.max(1, Math.floor(clicksMax / stores));

export const listSubIdsEndpoint = endpoint({
  summary: 'Get clicks and orders of a period by sub-ID, which creators add to links as ?sub=',
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      ...rangeQuery,
      ...pageFields,
      limit: T.Optional(T.Integer({ minimum: 1, maximum: pageMax, description: `The number of rows; ${pageMax} by default` })),
    },
    { additionalProperties: false },
  ),
  reply: namedObject('SubIdTotals', {
    from: T.String(),
    to: T.String(),
    is_complete: isCompleteField,
    data: T.Array(
      T.Object({
        sub_id: orNull(T.String({ description: 'Null for links without a sub-ID' })),
        clicks: T.Integer({ description: 'Of people' }),
        orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
        earned_cents: centsField('Their commissions, without rejected and reversed ones'),
      }),
    ),
    next_cursor: orNull(T.String()),
  }),
  async handle({ db, ids, query, now }) {
    const range = parseDayRange(query, now, { defaultDays: defaultDays, daysMax });
    if (isRefusal(range)) return range;
    const page = readPage({ ...query, limit: query.limit ?? pageMax }, cursorShapes);
    if (isRefusal(page)) return page;
    const stores = await storesOf(db, ids.creator, query.store_id);
    const sums = new Map<string | null, SubIdTotals>();
    let isComplete = true;
    for (const storeId of stores) {
      const read = await addStoreTotals(db, sums, { storeId, creatorId: ids.creator, range, share: stores.length });
      isComplete = isComplete && read.isComplete;
    }
    const before = page.after === null ? null : rowOfCursor(page.after);
    const rows = [...sums].filter((row) => before === null || mostFirst(before, row) < 0).toSorted(mostFirst);
    return {
      from: range.from,
      to: range.to,
      is_complete: isComplete,
      ...pageReply(rows, page, showRow, cursorOfRow),
    };
  },
});

const showRow = ([subId, { clicks, orders, earnedCents }]: SubIdRow) => ({ sub_id: subId, clicks, orders, earned_cents: earnedCents });

/** The counts that rows are sorted by, and the sub-ID, if any. */
const cursorShapes = [wholeNumberShape, wholeNumberShape, /^(?:none|sub)$/, /^.{0,200}$/su];
const cursorOfRow = ([subId, { clicks, orders }]: SubIdRow) => [`${clicks}`, `${orders}`, subId === null ? 'none' : 'sub', subId ?? ''];
const rowOfCursor = ([clicks, orders, kind, subId = '']: readonly string[]): SubIdRow => [
  kind === 'none' ? null : subId,
  { clicks: Number(clicks), orders: Number(orders), earnedCents: 0n },
];

type SubIdTotals = { clicks: number; orders: number; earnedCents: bigint };
type SubIdRow = readonly [subId: string | null, sums: SubIdTotals];

/** Among equal counts, clicks without a sub-ID come last. */
const mostFirst = ([oneId, one]: SubIdRow, [otherId, other]: SubIdRow): number =>
  other.clicks - one.clicks || other.orders - one.orders || (oneId === null ? 1 : otherId === null ? -1 : oneId < otherId ? -1 : 1);
type StoreQuery = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly range: DayRange; readonly share: number };

/** One store at a time, because stores may be on different machines. */
async function addStoreTotals(db: Queryable, sums: Map<string | null, SubIdTotals>, { storeId, creatorId, range, share }: StoreQuery) {
  const [from, to] = [startOfUtcDay(range.from), plusDays(startOfUtcDay(range.to), 1)];
  const sumOf = (subId: string | null): SubIdTotals => {
    const found = sums.get(subId) ?? { clicks: 0, orders: 0, earnedCents: 0n };
    sums.set(subId, found);
    return found;
  };
  const most = clicksPerStore(share);
  const clicks = await countClicksBySubId(db, { storeId, creatorId }, { fromId: firstIdAt(from), toId: firstIdAt(to), most, rowsMax });
  for (const { isOwn, subId, count } of clicks) if (isOwn) sumOf(subId).clicks += Number(count);
  const orders = await countOrdersBySubId(db, { storeId, creatorId }, { from, to, most: ordersMax, rowsMax });
  for (const row of orders) {
    const sum = sumOf(row.subId);
    sum.orders += Number(row.orders);
    sum.earnedCents += row.earnedCents;
  }
  const looked = [Number(clicks[0]?.looked ?? 0n) < most, Number(orders[0]?.looked ?? 0n) < ordersMax];
  return { isComplete: looked.every(Boolean) && clicks.length < rowsMax && orders.length < rowsMax };
}

export const subIdResultsEndpoint = endpoint({
  summary: "Get the results of one of a creator's sub-IDs over time, by day",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object({ sub_id: T.String({ minLength: 1, maxLength: subIdLengthMax }), ...rangeQuery }, { additionalProperties: false }),
  reply: namedObject('SubIdResults', {
    sub_id: T.String(),
    from: T.String(),
    to: T.String(),
    is_complete: isCompleteField,
    totals: T.Object(salesTotalsFields),
    days: T.Array(T.Object({ day: T.String(), ...salesTotalsFields }), { description: 'Only days with clicks or orders' }),
  }),
  async handle({ db, ids: { creator: creatorId }, query, now }) {
    const range = parseDayRange(query, now, { defaultDays, daysMax });
    if (isRefusal(range)) return range;
    const stores = await storesOf(db, creatorId, query.store_id);
    const read: StoreDays[] = [];
    for (const storeId of stores) read.push(await readStoreDays(db, { storeId, creatorId, range, share: stores.length }, query.sub_id));
    const byDay = Map.groupBy(
      read.flatMap(({ days }) => days),
      ({ day }) => day,
    );
    const days = [...byDay].map(([day, rows]) => ({ day, ...addSales(rows) })).toSorted((one, other) => (one.day < other.day ? -1 : 1));
    return {
      sub_id: query.sub_id,
      from: range.from,
      to: range.to,
      is_complete: read.every(({ isComplete }) => isComplete),
      totals: showSales(addSales(days)),
      days: days.map(({ day, ...sales }) => ({ day, ...showSales(sales) })),
    };
  },
});

type StoreDays = { readonly isComplete: boolean; readonly days: ReadonlyArray<SalesTotals & { readonly day: string }> };

async function readStoreDays(db: Queryable, { storeId, creatorId, range, share }: StoreQuery, subId: string): Promise<StoreDays> {
  const [from, to] = [startOfUtcDay(range.from), plusDays(startOfUtcDay(range.to), 1)];
  const starts = Array.from({ length: Math.round((to.getTime() - from.getTime()) / dayMs) }, (_, day) => plusDays(from, day));
  const clickDays = { fromId: firstIdAt(from), toId: firstIdAt(to), firstIds: starts.map(firstIdAt) };
  const most = clicksPerStore(share);
  const clicks = await countClicksOfSubId(db, { storeId, creatorId }, { ...clickDays, subId, most });
  const orders = await countOrdersOfSubId(db, { storeId, creatorId }, { subId, from, to, most: ordersMax });
  const none = { clicks: 0n, leads: 0n, orders: 0n, revenueCents: 0n, earnedCents: 0n };
  return {
    isComplete: Number(clicks[0]?.looked ?? 0n) < most && Number(orders[0]?.looked ?? 0n) < ordersMax,
    days: [
      ...clicks.flatMap(({ dayNumber, count }) => {
        const start = dayNumber === null ? undefined : starts[dayNumber - 1];
        return start === undefined ? [] : [{ ...none, day: dayOf(start), clicks: count }];
      }),
      ...orders.flatMap(({ day, ...sales }) => (day === null ? [] : [{ ...none, ...sales, day }])),
    ],
  };
}
