import { Type as T } from 'typebox';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal } from '../http/responses.ts';
import { centsField, namedObject, orNull } from '../http/fields.ts';
import { pageFields, pageReply, readPage, wholeNumberShape } from '../http/page.ts';
import { firstIdAt, publicId, type Id } from '../core/ids.ts';
import { plusDays } from '../core/time.ts';
import { startOfUtcDay, dayField, parseDayRange, type DayRange } from './day-range.ts';
import { countClicksBySubId, countOrdersBySubId } from './sub-ids-sql.ts';

const idLengthMax = 40;
const defaultDays = 30;
const daysMax = 92;
/** For all stores together; takes about a tenth of a second. */
const clicksMax = 200_000;
const ordersMax = 5_000;
const rowsMax = 500;
const pageMax = 200;

export const listSubIdsEndpoint = endpoint({
  summary: 'Get clicks and orders of a period by sub-ID, which creators add to links as ?sub=',
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      from: T.Optional(dayField(`The first day, in UTC; ${defaultDays} days up to the last one by default`)),
      to: T.Optional(dayField('The last day, in UTC; today by default')),
      store_id: T.Optional(T.String({ maxLength: idLengthMax })),
      ...pageFields,
      limit: T.Optional(T.Integer({ minimum: 1, maximum: pageMax, description: `The number of rows; ${pageMax} by default` })),
    },
    { additionalProperties: false },
  ),
  reply: namedObject('SubIdTotals', {
    from: T.String(),
    to: T.String(),
    is_complete: T.Boolean({
      description: `False: only the newest were counted; of a store's clicks at most ${clicksMax}. Ask for fewer days`,
    }),
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
    const own = await listStoresOfCreator(db, ids.creator);
    // A store that is not the creator's gives an empty list.
    const stores = query.store_id === undefined ? own : own.filter((storeId) => publicId('store', storeId) === query.store_id);
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
  const most = Math.max(1, Math.floor(clicksMax / share));
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
