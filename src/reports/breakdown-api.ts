import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { chooseType } from '../http/content-negotiation.ts';
import { fieldColumns, csvDownload, type CsvColumn } from '../http/csv.ts';
import { namedObject, orNull } from '../http/fields.ts';
import { isRefusal } from '../http/responses.ts';
import { firstIdAt, publicId, type Id } from '../core/ids.ts';
import { plusDays } from '../core/time.ts';
import {
  breakdownMetrics,
  clickDimensions,
  linkDimensions,
  rankClicks,
  rankLinks,
  type BreakdownMetric,
  type BreakdownRow,
  type ClickDimension,
  type LinkDimension,
} from './breakdown-sql.ts';
import { startOfUtcDay, type DayRange } from './day-range.ts';
import { parsePeriod, periodFields } from './period-query.ts';
import { salesTotalsFields, showSales, type SalesTotals } from './sales-totals.ts';

type Dimension = LinkDimension | ClickDimension;

/** Sub-IDs and referrer hosts are read from the clicks. With the limits below that takes 0.2 s. */
const clickDaysMax = 92;
const clicksMax = 500_000;
const ordersMax = 20_000;
const defaultRows = 10;
const rowsMax = 100;
const fileRowsMax = 5_000;

const row = namedObject('BreakdownRow', {
  key: orNull(
    T.String({ description: 'The ID of the creator or program, the code of the link, the sub-ID, or the host; null: there was none' }),
  ),
  name: orNull(T.String()),
  creator_name: orNull(T.String({ description: 'Of a link' })),
  ...salesTotalsFields,
});
type Row = Static<typeof row>;

const columns: ReadonlyArray<CsvColumn<Row>> = [
  ...fieldColumns('key', 'name', 'creator_name', 'clicks', 'orders', 'revenue_cents', 'earned_cents', 'leads'),
];

export const breakdownEndpoint = endpoint({
  summary: 'Rank creators, programs, links, sub-IDs, or referrer hosts by their results; as a file with Accept: text/csv',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    {
      by: T.Enum([...linkDimensions, ...clickDimensions]),
      ...periodFields,
      rank_by: T.Optional(T.Enum(breakdownMetrics, { description: 'revenue by default' })),
      limit: T.Optional(
        T.Integer({
          minimum: 1,
          maximum: rowsMax,
          description: `The number of rows; ${defaultRows} by default. A file has ${fileRowsMax}`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  files: ['text/csv'],
  reply: namedObject('StoreBreakdown', {
    from: T.String(),
    to: T.String(),
    is_complete: T.Boolean({
      description: `False: more than ${clicksMax} clicks or ${ordersMax} orders, so older ones, or those whose click was deleted, are in other`,
    }),
    rows: T.Array(row),
    other: T.Object({ rows: T.Integer({ description: 'The number of other entries' }), ...salesTotalsFields }),
    totals: T.Object(salesTotalsFields, { description: 'The totals of the store; the rows and other add up to them' }),
  }),
  async handle({ db, ids, query, request, now }) {
    const isOfClicks = isClickDimension(query.by);
    const range = parsePeriod(query, now, isOfClicks ? clickDaysMax : undefined);
    if (isRefusal(range)) return range;
    const isFile = chooseType(request.accept, ['application/json', 'text/csv']) === 'text/csv';
    const limit = isFile ? fileRowsMax : (query.limit ?? defaultRows);
    const found = await rank(db, { storeId: ids.store, by: query.by, range, rankBy: query.rank_by ?? 'revenue', limit });
    const name = await loadNames(db, ids.store, found);
    const rows = found.filter(({ place }) => place !== null).map((one) => ({ ...name(one), ...showSales(one) }));
    const { other, totals, isComplete } = addUp(found);
    if (isFile) {
      const rest: Row = { key: 'other', name: null, creator_name: null, ...showSales(other) };
      return csvDownload(`by-${query.by}-${range.from}-${range.to}.csv`, columns, pagesOf([...rows, rest]));
    }
    const otherRows = Math.max(0, Number(found[0]?.rows ?? 0n) - rows.length);
    return { ...range, is_complete: isComplete, rows, other: { rows: otherRows, ...showSales(other) }, totals: showSales(totals) };
  },
});

async function* pagesOf(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

const isClickDimension = (by: Dimension): by is ClickDimension => clickDimensions.some((one) => one === by);

type Ranking = {
  readonly storeId: Id<'store'>;
  readonly by: Dimension;
  readonly range: DayRange;
  readonly rankBy: BreakdownMetric;
  readonly limit: number;
};

function rank(db: Queryable, { by, ...ranking }: Ranking): Promise<BreakdownRow[]> {
  if (!isClickDimension(by)) return rankLinks(db, by, ranking);
  const [from, to] = [startOfUtcDay(ranking.range.from), plusDays(startOfUtcDay(ranking.range.to), 1)];
  return rankClicks(db, by, ranking, { from, to, fromId: firstIdAt(from), toId: firstIdAt(to), clicksMax, ordersMax });
}

/** Other is what the shown rows leave of the store's totals, so that the sums are right even where not every click was read. */
function addUp(found: readonly BreakdownRow[]) {
  const [first] = found;
  const totals: SalesTotals = {
    clicks: first?.totalClicks ?? 0n,
    leads: first?.totalLeads ?? 0n,
    orders: first?.totalOrders ?? 0n,
    revenueCents: first?.totalRevenueCents ?? 0n,
    earnedCents: first?.totalEarnedCents ?? 0n,
  };
  const other = found.reduce<SalesTotals>(
    (rest, one) => ({
      clicks: rest.clicks - one.clicks,
      leads: rest.leads - one.leads,
      orders: rest.orders - one.orders,
      revenueCents: rest.revenueCents - one.revenueCents,
      earnedCents: rest.earnedCents - one.earnedCents,
    }),
    totals,
  );
  const isComplete = (first?.readClicks ?? 0n) >= totals.clicks && (first?.readOrders ?? 0n) >= totals.orders;
  return { totals, other, isComplete };
}

type Names = (row: BreakdownRow) => Pick<Row, 'key' | 'name' | 'creator_name'>;

/** Names are separate queries, because creators may be stored on another machine. */
async function loadNames(db: Queryable, storeId: Id<'store'>, found: readonly BreakdownRow[]): Promise<Names> {
  const [creators, programs] = await Promise.all([
    creatorNames(
      db,
      found.flatMap(({ creatorId }) => creatorId ?? []),
    ),
    programsByName(
      db,
      found.flatMap(({ programId }) => (programId === null ? [] : [{ storeId, programId }])),
    ),
  ]);
  return ({ key, creatorId, programId }) => {
    if (programId !== null) return { key: publicId('prog', programId), name: programs.get(programId)?.name ?? null, creator_name: null };
    const creator = creatorId === null ? null : (creators.get(creatorId) ?? null);
    if (key === null || creatorId === null || key !== creatorId) return { key, name: key, creator_name: creator };
    return { key: publicId('crt', creatorId), name: creator, creator_name: null };
  };
}
