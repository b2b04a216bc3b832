import { invoiceSorts, listInvoices } from '../src/billing/invoices-sql.ts';
import { commissionSorts } from '../src/commissions/commission-filter-sql.ts';
import { noFilter, type CommissionFilter } from '../src/commissions/commission-filter.ts';
import { listCommissions } from '../src/commissions/list-commissions-sql.ts';
import type { Id } from '../src/core/ids.ts';
import { listLinksOfCreator } from '../src/creators/creator-links-sql.ts';
import { listCreators } from '../src/creators/creators-sql.ts';
import type { Database } from '../src/db/database.ts';
import { orderOf, sortNames } from '../src/db/list-order.ts';
import { listMembersOfStore, memberSorts, type MemberFilter } from '../src/reports/store-creators-sql.ts';
import { listRelationships, type RelationshipFilter } from '../src/subscriptions/relationships-sql.ts';
import { listLogEntries, type LogFilter } from '../src/tracking/log-sql.ts';
import { explainQuery, indexesOf } from '../test/support/explained.ts';
import { fillCreators, fillInvoices, fillLinks, fillLogEntries, fillRelationships, type ListSizes } from './fill-lists-sql.ts';
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
const sizes: ListSizes = { creators: 100_000, members: 5_000, invoices: 1_200, links: 2_000 };

/** As many subscriptions as a tenth of the commissions; as many entries of the tracking log as commissions. */
const commissionsPerRelationship = 10;

type FilledStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Measures each sort and each kind of search, on the store that holds all commissions, and on one of its creators. */
export async function measureLists(patient: Database, { storeId, creatorId }: FilledStore, commissions: number) {
  await fillCreators(patient, storeId, sizes);
  await fillInvoices(patient, storeId, sizes.invoices);
  await fillLinks(patient, { storeId, creatorId, count: sizes.links });
  await fillRelationships(patient, { storeId, creatorId, count: Math.ceil(commissions / commissionsPerRelationship) });
  await fillLogEntries(patient, { storeId, count: commissions });
  const timings: ListTiming[] = [];
  const queries = [...listQueries(storeId, commissions), ...otherQueries({ storeId, creatorId }, commissions)];
  for (const query of queries) timings.push(await timed(patient, query));
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

/** Subscriptions, the tracking log, and the lists of one creator. */
function otherQueries({ storeId, creatorId }: FilledStore, commissions: number): readonly ListQuery[] {
  const anyRelationship: RelationshipFilter = { state: null, isHeld: null, creatorId: null, search: null };
  const relationships = (query: string, filter: Partial<RelationshipFilter>, list = 'subscriptions'): ListQuery => ({
    list,
    query,
    read: (db) => listRelationships(db, storeId, { ...anyRelationship, ...filter }, first),
  });
  const anyEntry: LogFilter = { status: null, reason: null, operation: null, subject: null, from: null, to: null };
  const log = (query: string, filter: Partial<LogFilter>): ListQuery => ({
    list: 'tracking log',
    query,
    read: (db) => listLogEntries(db, storeId, { ...anyEntry, ...filter }, first),
  });
  const sales = (query: string, filter: Partial<CommissionFilter>): ListQuery => ({
    list: 'sales of a creator',
    query,
    read: (db) => listCommissions(db, storeId, { ...noFilter, creatorId, ...filter }, first),
  });
  const links = (query: string, search: string | null): ListQuery => ({
    list: 'links of a creator',
    query,
    read: (db) => listLinksOfCreator(db, { creatorId, storeIds: [storeId], programId: null, search }, first),
  });
  const rare = String(commissions - 12_346);
  return [
    relationships('newest first', {}),
    relationships('q=sub-77 (many, by their beginning)', { search: 'sub-77' }),
    relationships("q=noor (many, by their creator's name)", { search: 'noor' }),
    relationships('q=nothing', { search: 'nothing' }),
    relationships('state=ended', { state: 'ended' }),
    relationships('held=true (none)', { isHeld: true }),
    log('newest first', {}),
    log(`subject=order-${rare} (one order)`, { subject: `order-${rare}` }),
    log('subject=order-77 (many, by their beginning)', { subject: 'order-77' }),
    log('subject=nothing', { subject: 'nothing' }),
    log('reason=click_not_found', { reason: 'click_not_found' }),
    sales('newest first', {}),
    sales('q=777', { sourceIdPart: '777' }),
    sales('q=nothing', { sourceIdPart: 'nothing' }),
    sales('state=pending', { state: 'pending' }),
    relationships('newest first', { creatorId }, 'subscriptions of a creator'),
    links('newest first', null),
    links('q=products/77', 'products/77'),
    links('q=nothing', 'nothing'),
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
