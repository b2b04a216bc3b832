import { listCommissions } from '../src/commissions/list-commissions-sql.ts';
import { noFilter, type CommissionFilter } from '../src/commissions/commission-filter.ts';
import type { Id } from '../src/core/ids.ts';
import { dayMs } from '../src/core/time.ts';
import { listDayTotals } from '../src/reports/overview-sql.ts';
import { loadCommissionRenderer } from '../src/review/commission-json.ts';
import type { Bench } from './bench.ts';
import { fillRollups, fillStores, fillYear, overviewFromRaw } from './fill-books-sql.ts';
import { measureLists, type ListTiming } from './lists.ts';
import type { Weighed } from './service.ts';
import { median } from './report.ts';

/** One operation done in two ways, in milliseconds per call, round by round. */
export type Measured = {
  readonly what: string;
  readonly sizes: string;
  readonly ours: { readonly name: string; readonly ms: readonly number[] };
  readonly other: { readonly name: string; readonly ms: readonly number[] };
  /** Which of the two is divided by the other, and the required result. */
  readonly ratio: 'other / ours' | 'ours / other';
  readonly aim: { readonly least: number } | { readonly most: number };
  readonly isHonest: boolean;
};

const pageSize = 50;
const queriesPerRound = 20;

export type QueryResults = {
  readonly measured: readonly Measured[];
  readonly weighed: readonly Weighed[];
  readonly timings: readonly ListTiming[];
};

/**
 * Checks that a page deep in a list costs as much as the first one, that none takes 0.1 s, and that a year's overview reads daily counts.
 */
export async function compareQuestions({ platform, patient, pace }: Bench, rows: number): Promise<QueryResults> {
  const { jobsDatabase: db } = platform;
  const filled = await fillStores(patient, 1);
  const [storeId] = filled.storeIds;
  const [creatorId] = filled.creatorIds;
  if (storeId === undefined || creatorId === undefined) return { measured: [], weighed: [], timings: [] };
  await fillYear(patient, filled, rows);
  await fillRollups(patient, storeId);
  const page = (after: readonly string[] | null) => listCommissions(db, storeId, noFilter, { after, limit: pageSize });
  // Nine of ten rows precede this position.
  const deep = [String(Date.now() - 330 * dayMs), 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  const range = { from: dayOf(Date.now() - 364 * dayMs), to: dayOf(Date.now()) };
  const [raw, kept] = [await overviewFromRaw(patient, storeId, range), await listDayTotals(db, storeId, range)];
  const listPages = await rounds(pace.rounds, { ours: () => page(deep), other: () => page(null), times: queriesPerRound });
  const overviews = await rounds(pace.rounds, {
    ours: () => listDayTotals(db, storeId, range),
    other: () => overviewFromRaw(patient, storeId, range),
    times: 1,
  });
  const sizes = `${rows.toLocaleString('en')} commissions of one store`;
  const wholePage = async (filter: CommissionFilter, after: readonly string[] | null) => {
    const found = await listCommissions(db, storeId, filter, { after, limit: pageSize });
    return found.map(await loadCommissionRenderer(db, storeId, found));
  };
  const pages = [null, deep].flatMap((after) => narrowings(filled.creatorIds).map((filter) => () => wholePage(filter, after)));
  const slowest = await slowestOf(pages, pace.rounds);
  const lists = await measureLists(patient, { storeId, creatorId }, rows);
  const weighed = [
    ...lists.weighed,
    {
      what: `a page of the conversions list, the slowest of ${pages.length} ways to narrow it`,
      sizes,
      unit: 'ms',
      values: slowest,
      most: 100,
    },
  ];
  const measured: readonly Measured[] = [
    {
      what: 'a page of the conversions list',
      sizes,
      ours: { name: 'deep in the list', ms: listPages.ours },
      other: { name: 'the first page', ms: listPages.other },
      ratio: 'ours / other',
      aim: { most: 3 },
      isHonest: (await page(deep)).length === pageSize + 1,
    },
    {
      what: "a merchant's overview over a year",
      sizes,
      ours: { name: 'from rollups', ms: overviews.ours },
      other: { name: 'from raw rows', ms: overviews.other },
      ratio: 'other / ours',
      aim: { least: 100 },
      isHonest: JSON.stringify(raw, exact) === JSON.stringify(kept, exact),
    },
  ];
  return { measured, weighed, timings: lists.timings };
}

/** The filters of the review queue: none, state, on hold (without results), creator, and a search. */
const narrowings = ([creatorId]: ReadonlyArray<Id<'crt'>>): readonly CommissionFilter[] => [
  noFilter,
  { ...noFilter, state: 'pending' },
  { ...noFilter, held: true },
  { ...noFilter, creatorId: creatorId ?? 'none' },
  { ...noFilter, search: 'order-12' },
];

/** Takes the slowest query of each round: a user waits for one query, not for the average. */
async function slowestOf(ways: ReadonlyArray<() => Promise<unknown>>, count: number): Promise<readonly number[]> {
  for (const way of ways) await way();
  const slowest: number[] = [];
  for (let round = 0; round < count; round++) {
    let most = 0;
    for (const way of ways) most = Math.max(most, await timed(way, queriesPerRound));
    slowest.push(rounded(most));
  }
  return slowest;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const exact = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

type Ways = { readonly ours: () => Promise<unknown>; readonly other: () => Promise<unknown>; readonly times: number };

/** Runs each once to warm up, then alternates, so that other load on the machine affects both. */
async function rounds(count: number, { ours, other, times }: Ways) {
  const taken: { readonly ours: number[]; readonly other: number[] } = { ours: [], other: [] };
  await ours();
  await other();
  for (let round = 0; round < count; round++) {
    taken.other.push(await timed(other, times));
    taken.ours.push(await timed(ours, times * (times === 1 ? queriesPerRound : 1)));
  }
  return taken;
}

async function timed(work: () => Promise<unknown>, times: number): Promise<number> {
  const began = performance.now();
  for (let time = 0; time < times; time++) await work();
  return (performance.now() - began) / times;
}

export const ratiosOfMeasured = ({ ours, other, ratio }: Measured): readonly number[] =>
  ours.ms.map((mine, round) => {
    const theirs = other.ms[round] ?? mine;
    return Math.round(100 * (ratio === 'ours / other' ? mine / theirs : theirs / mine)) / 100;
  });

export function describeMeasured(measured: Measured): string {
  const { what, sizes, ours, other, ratio, aim, isHonest } = measured;
  const line = ({ name, ms }: Measured['ours']) => `  ${name.padEnd(24)} ${spread(ms)} ms`;
  const title = `\n${what}, ${sizes}`;
  if (!isHonest) return [title, line(ours), line(other), '  NO RATIO: the two did not do the same.'].join('\n');
  const ratios = ratiosOfMeasured(measured);
  const isReached = 'least' in aim ? median(ratios) >= aim.least : median(ratios) <= aim.most;
  const wanted = 'least' in aim ? `at least ${aim.least}` : `at most ${aim.most}`;
  const [one, another] = ratio === 'ours / other' ? [ours, other] : [other, ours];
  return [
    title,
    line(ours),
    line(other),
    `  ${one.name} / ${another.name}: ${spread(ratios)}   aim ${wanted}: ${isReached ? 'reached' : 'MISSED'}`,
  ].join('\n');
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
const spread = (values: readonly number[]): string =>
  `${rounded(median(values))} (${rounded(Math.min(...values))}–${rounded(Math.max(...values))})`;
