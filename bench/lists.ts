import { invoiceSorts, listInvoices } from '../src/billing/invoices-sql.ts';
import { commissionSorts } from '../src/commissions/commission-filter-sql.ts';
import { noFilter, type CommissionFilter } from '../src/commissions/commission-filter.ts';
import { listCommissions } from '../src/commissions/list-commissions-sql.ts';
import type { Id } from '../src/core/ids.ts';
import { listCreators } from '../src/creators/creators-sql.ts';
import type { Database } from '../src/db/database.ts';
import { orderOf, sortNames } from '../src/db/list-order.ts';
import { listMembersOfStore, memberSorts, type MemberFilter } from '../src/reports/store-creators-sql.ts';
import { explainQuery, indexesOf } from '../test/support/explained.ts';
import { fillCreators, fillInvoices, type ListSizes } from './fill-lists-sql.ts';
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

type ListQuery = { readonly list: string; readonly query: string; readonly read: (db: Database) => Promise<readonly unknown[]> };

const pageSize = 50;
const timesPerQuery = 11;
const sizes: ListSizes = { creators: 100_000, members: 5_000, invoices: 1_200 };

/** Measures each sort and each kind of search, on the store that holds all commissions. */
export async function measureLists(patient: Database, storeId: Id<'store'>, commissions: number) {
  await fillCreators(patient, storeId, sizes);
  await fillInvoices(patient, storeId, sizes.invoices);
  const timings: ListTiming[] = [];
  for (const query of listQueries(storeId, commissions)) timings.push(await timed(patient, query));
  return { timings, weighed: weighedOf(timings, commissions) };
}

const first = { after: null, limit: pageSize };

function listQueries(storeId: Id<'store'>, commissions: number): readonly ListQuery[] {
  const conversions = (query: string, filter: Partial<CommissionFilter>, sort?: string): ListQuery => ({
    list: 'conversions',
    query,
    read: (db) => listCommissions(db, storeId, { ...noFilter, ...filter }, { ...first, order: orderOf(commissionSorts, sort) }),
  });
  const rare = String(commissions - 12_346);
  const anyMember: MemberFilter = { status: null, programId: null, creatorId: null, search: null };
  const members = (query: string, filter: Partial<MemberFilter>, sort?: string): ListQuery => ({
    list: 'creators of a store',
    query,
    read: (db) => listMembersOfStore(db, storeId, { ...anyMember, ...filter }, { ...first, order: orderOf(memberSorts, sort) }),
  });
  const invoices = (query: string, search: string | null, sort?: string): ListQuery => ({
    list: 'invoices',
    query,
    read: (db) =>
      listInvoices(db, storeId, { state: null, from: null, to: null, search }, { ...first, order: orderOf(invoiceSorts, sort) }),
  });
  return [
    ...sortNames(commissionSorts).map((sort) => conversions(`sort=${sort}`, {}, sort)),
    conversions(`q=${rare} (the number of one order)`, { search: rare }),
    conversions('q=order- (all orders)', { search: 'order-' }),
    conversions('q=order-12 (many, by their beginning)', { search: 'order-12' }),
    conversions('q=777 (many, by their end)', { search: '777' }),
    conversions("q=noor (many, by their creator's name)", { search: 'noor' }),
    conversions('q=nothing (no order)', { search: 'nothing' }),
    conversions('q=777&state=pending', { search: '777', state: 'pending' }),
    conversions('q=777&sort=occurred_at', { search: '777' }, 'occurred_at'),
    ...sortNames(memberSorts).map((sort) => members(`sort=${sort}`, {}, sort)),
    members('q=noor', { search: 'noor' }),
    members('q=nothing', { search: 'nothing' }),
    ...sortNames(invoiceSorts).map((sort) => invoices(`sort=${sort}`, null, sort)),
    invoices('q=119', '119'),
    { list: 'creators of the installation', query: 'q=noor', read: (db) => listCreators(db, { ...first, search: 'noor' }) },
    { list: 'creators of the installation', query: 'q=nothing', read: (db) => listCreators(db, { ...first, search: 'nothing' }) },
  ];
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
