import { Type as T } from 'typebox';
import { storesOfCreator } from '../creators/members-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal } from '../platform/http/answers.ts';
import { centsField, orNull } from '../platform/http/fields.ts';
import { pageFields, pageReply, readPage, wholeNumberShape } from '../platform/http/page.ts';
import { firstIdAt, publicId, type Id } from '../platform/ids.ts';
import { plusDays } from '../platform/time.ts';
import { dayBegins, dayField, readDays, type DayRange } from './day-range.ts';
import { clicksBySubId, ordersBySubId } from './sub-ids-sql.ts';

const idLengthMax = 40;
const usualDays = 30;
const daysMax = 92;
/** Of all stores together: about a tenth of a second. */
const clicksMax = 200_000;
const ordersMax = 5_000;
const rowsMax = 500;
const shownMax = 200;

export const listSubIdsEndpoint = endpoint({
  summary: 'Clicks and orders of some days by the word that a creator added to a link as ?sub=',
  access: { who: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      from: T.Optional(dayField(`The first day, in UTC; ${usualDays} days up to the last one where it is not given`)),
      to: T.Optional(dayField('The last day, in UTC; today where it is not given')),
      store_id: T.Optional(T.String({ maxLength: idLengthMax })),
      ...pageFields,
      limit: T.Optional(T.Integer({ minimum: 1, maximum: shownMax, description: `How many rows; ${shownMax} where it is not given` })),
    },
    { additionalProperties: false },
  ),
  reply: T.Object({
    from: T.String(),
    to: T.String(),
    is_complete: T.Boolean({
      description: `False: only the newest were counted; of a store's clicks at most ${clicksMax}. Ask for fewer days`,
    }),
    data: T.Array(
      T.Object({
        sub_id: orNull(T.String({ description: 'Null: none was added' })),
        clicks: T.Integer({ description: 'Of people' }),
        orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
        earned_cents: centsField('Their commissions, without what was rejected or reversed since'),
      }),
    ),
    next_cursor: orNull(T.String()),
  }),
  async handle({ db, ids, query, now }) {
    const range = readDays(query, now, { usualDays, daysMax });
    if (isRefusal(range)) return range;
    const page = readPage({ ...query, limit: query.limit ?? shownMax }, positionShapes);
    if (isRefusal(page)) return page;
    const own = await storesOfCreator(db, ids.creator);
    // A stranger's store and nobody's are none.
    const stores = query.store_id === undefined ? own : own.filter((storeId) => publicId('store', storeId) === query.store_id);
    const sums = new Map<string | null, Sums>();
    let isComplete = true;
    for (const storeId of stores) {
      const read = await addStore(db, sums, { storeId, creatorId: ids.creator, range, share: stores.length });
      isComplete = isComplete && read.isComplete;
    }
    const before = page.after === null ? null : rowAt(page.after);
    const rows = [...sums].filter((row) => before === null || mostFirst(before, row) < 0).toSorted(mostFirst);
    return {
      from: range.from,
      to: range.to,
      is_complete: isComplete,
      ...pageReply(rows, page, showRow, positionOf),
    };
  },
});

const showRow = ([subId, { clicks, orders, earnedCents }]: Row) => ({ sub_id: subId, clicks, orders, earned_cents: earnedCents });

/** The counts by which rows are sorted, and the sub-id, which may be none. */
const positionShapes = [wholeNumberShape, wholeNumberShape, /^(?:none|sub)$/, /^.{0,200}$/su];
const positionOf = ([subId, { clicks, orders }]: Row) => [`${clicks}`, `${orders}`, subId === null ? 'none' : 'sub', subId ?? ''];
const rowAt = ([clicks, orders, kind, subId = '']: readonly string[]): Row => [
  kind === 'none' ? null : subId,
  { clicks: Number(clicks), orders: Number(orders), earnedCents: 0n },
];

type Sums = { clicks: number; orders: number; earnedCents: bigint };
type Row = readonly [subId: string | null, sums: Sums];

/** What has no word comes last among equals. */
const mostFirst = ([oneId, one]: Row, [otherId, other]: Row): number =>
  other.clicks - one.clicks || other.orders - one.orders || (oneId === null ? 1 : otherId === null ? -1 : oneId < otherId ? -1 : 1);
type OfStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly range: DayRange; readonly share: number };

/** Store by store: each may stand on another machine. */
async function addStore(db: Queryable, sums: Map<string | null, Sums>, { storeId, creatorId, range, share }: OfStore) {
  const [from, to] = [dayBegins(range.from), plusDays(dayBegins(range.to), 1)];
  const sumOf = (subId: string | null): Sums => {
    const found = sums.get(subId) ?? { clicks: 0, orders: 0, earnedCents: 0n };
    sums.set(subId, found);
    return found;
  };
  const most = Math.max(1, Math.floor(clicksMax / share));
  const clicks = await clicksBySubId(db, { storeId, creatorId }, { fromId: firstIdAt(from), toId: firstIdAt(to), most, rowsMax });
  for (const { isOwn, subId, count } of clicks) if (isOwn) sumOf(subId).clicks += Number(count);
  const orders = await ordersBySubId(db, { storeId, creatorId }, { from, to, most: ordersMax, rowsMax });
  for (const row of orders) {
    const sum = sumOf(row.subId);
    sum.orders += Number(row.orders);
    sum.earnedCents += row.earnedCents;
  }
  const looked = [Number(clicks[0]?.looked ?? 0n) < most, Number(orders[0]?.looked ?? 0n) < ordersMax];
  return { isComplete: looked.every(Boolean) && clicks.length < rowsMax && orders.length < rowsMax };
}
