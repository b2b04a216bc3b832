import type { Database } from '../src/db/database.ts';
import { explainQuery, indexesOf } from '../test/support/explained.ts';
import {
  fillAuditLog,
  fillCodes,
  fillCreators,
  fillInvoices,
  fillLinkDays,
  fillLinks,
  fillLogEntries,
  fillOrders,
  fillPayouts,
  fillPrograms,
  fillRelationships,
  fillSmallStores,
  type ListSizes,
} from './fill-lists-sql.ts';
import { queriesOfCreator, queriesOfInstallation, queriesOfStore, type FilledStore, type ListQuery } from './list-queries.ts';
import { median } from './report.ts';
import type { Weighed } from './service.ts';

/** One sort or search of a list, with the time of its first page. */
export type ListTiming = {
  readonly list: string;
  readonly query: string;
  readonly ms: number;
  readonly slowestMs: number;
  readonly rows: number;
  readonly indexes: readonly string[];
};

const timesPerQuery = 11;
const sizes: ListSizes = {
  stores: 20_000,
  creators: 100_000,
  members: 5_000,
  programs: 500,
  codes: 5_000,
  invoices: 1_200,
  links: 2_000,
  payouts: 1_000_000,
  auditEntries: 1_000_000,
};

/** As many subscriptions as a tenth of the commissions; as many entries of the tracking log as commissions. */
const commissionsPerRelationship = 10;

/** Measures each sort and each kind of search, on the store that holds all commissions, and on one of its creators. */
export async function measureLists(patient: Database, { storeId, creatorId }: FilledStore, commissions: number) {
  await fillSmallStores(patient, sizes.stores);
  await fillCreators(patient, storeId, sizes);
  await fillPrograms(patient, storeId, sizes.programs);
  await fillCodes(patient, storeId, sizes);
  await fillInvoices(patient, storeId, sizes.invoices);
  await fillLinks(patient, { storeId, creatorId, count: sizes.links });
  await fillRelationships(patient, { storeId, creatorId, count: Math.ceil(commissions / commissionsPerRelationship) });
  await fillLinkDays(patient, storeId);
  await fillOrders(patient, storeId);
  await fillPayouts(patient, sizes);
  await fillAuditLog(patient, storeId, sizes);
  await fillLogEntries(patient, { storeId, count: commissions });
  const timings: ListTiming[] = [];
  const filled: FilledStore = { storeId, creatorId };
  const queries = [...queriesOfStore(storeId, commissions), ...queriesOfCreator(filled, commissions), ...queriesOfInstallation()];
  for (const query of queries) timings.push(await timed(patient, query));
  return { timings, weighed: weighedOf(timings, commissions) };
}

async function timed(db: Database, { list, query, read }: ListQuery): Promise<ListTiming> {
  const { length: rows } = await read(db);
  const taken: number[] = [];
  for (let time = 0; time < timesPerQuery; time += 1) {
    const began = performance.now();
    await read(db);
    taken.push(performance.now() - began);
  }
  const plan = await explainQuery(db, read);
  return { list, query, ms: tenths(median(taken)), slowestMs: tenths(Math.max(...taken)), rows, indexes: indexesOf(plan) };
}

function weighedOf(timings: readonly ListTiming[], commissions: number): readonly Weighed[] {
  const slowest = timings.toSorted((one, other) => other.ms - one.ms)[0];
  return slowest === undefined
    ? []
    : [
        {
          what: `a page of a list, the slowest of ${timings.length} sorts and searches (${slowest.list}, ${slowest.query})`,
          sizes: `${commissions.toLocaleString('en')} commissions of one store`,
          unit: 'ms',
          values: [slowest.ms],
          most: 100,
        },
      ];
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** A table in Markdown, for docs/lists.md. */
export const describeTimings = (timings: readonly ListTiming[]): string =>
  [
    '\n| list | query | ms, median | ms, slowest | index |',
    '| --- | --- | --- | --- | --- |',
    ...timings.map(({ list, query, ms, slowestMs, indexes }) => {
      const shown = indexes.map((index) => (index === 'none' ? 'reads all rows' : `\`${index}\``)).join(', ');
      return `| ${list} | \`${query}\` | ${ms} | ${slowestMs} | ${shown} |`;
    }),
  ].join('\n');
