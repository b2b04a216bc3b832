import { invoiceSorts, listInvoices } from '../src/billing/invoices-sql.ts';
import { commissionSorts } from '../src/commissions/commission-filter-sql.ts';
import { noFilter, type CommissionFilter } from '../src/commissions/commission-filter.ts';
import { listCommissions } from '../src/commissions/list-commissions-sql.ts';
import type { Id } from '../src/core/ids.ts';
import { dayMs, dayOf } from '../src/core/time.ts';
import { linkSorts, listLinksOfCreator } from '../src/creators/creator-links-sql.ts';
import { creatorSorts, listCreators } from '../src/creators/creators-sql.ts';
import { codeSorts, listDiscountCodes, type CodeFilter } from '../src/creators/discount-codes-sql.ts';
import type { Database } from '../src/db/database.ts';
import { orderOf, sortNames } from '../src/db/list-order.ts';
import { listPrograms, programSorts } from '../src/merchants/programs-sql.ts';
import { allStores, storeSorts } from '../src/merchants/stores-sql.ts';
import { findCreators, findStores } from '../src/operations/search-sql.ts';
import { listPayouts, payoutSorts, type PayoutFilter } from '../src/payouts/payouts-sql.ts';
import { actionsOfArea } from '../src/people/audit-actions.ts';
import { auditSorts, listAuditEntries, type AuditFilter } from '../src/people/audit-sql.ts';
import { listResultLinks } from '../src/reports/creator-results-sql.ts';
import { listProducts } from '../src/reports/product-results-sql.ts';
import { findCommissionsOfCustomer, findCreatorsOfStore, findSubscriptionsByStart } from '../src/reports/search-sql.ts';
import { listMembersOfStore, memberSorts, type MemberFilter } from '../src/reports/store-creators-sql.ts';
import { listRelationships, relationshipSorts, type RelationshipFilter } from '../src/subscriptions/relationships-sql.ts';
import { listLogEntries, logSorts, type LogFilter } from '../src/tracking/log-sql.ts';

/** One sort or search of a list, as its endpoint reads it. */
export type ListQuery = { readonly list: string; readonly query: string; readonly read: (db: Database) => Promise<readonly unknown[]> };

export type FilledStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

const pageSize = 50;
const first = { after: null, limit: pageSize };
/** Of each kind, as in the results of a search. */
const resultsMax = 5;

/** The number of an order that no other one begins or ends with. */
const rareOf = (commissions: number): string => String(commissions - 12_346);

export const queriesOfStore = (storeId: Id<'store'>, commissions: number): readonly ListQuery[] => [
  ...conversionQueries(storeId, commissions),
  ...smallListQueries(storeId),
  ...subscriptionQueries(storeId),
  ...auditQueries('audit log of a store', storeId),
  ...logQueries(storeId, commissions),
  ...searchQueries(storeId, commissions),
];

function conversionQueries(storeId: Id<'store'>, commissions: number): readonly ListQuery[] {
  const conversions = (query: string, filter: Partial<CommissionFilter>, sort?: string): ListQuery => ({
    list: 'conversions',
    query,
    read: (db) => listCommissions(db, storeId, { ...noFilter, ...filter }, { ...first, order: orderOf(commissionSorts, sort) }),
  });
  const rare = rareOf(commissions);
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
  ];
}

/** Lists of at most thousands of rows in a store. */
function smallListQueries(storeId: Id<'store'>): readonly ListQuery[] {
  const anyMember = { status: null, programId: null, creatorId: null, search: null, range: { from: null, to: null } };
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
  const programs = (query: string, search: string | null, sort?: string): ListQuery => ({
    list: 'programs',
    query,
    read: (db) => listPrograms(db, storeId, { ...first, search, order: orderOf(programSorts, sort) }),
  });
  const anyCode: CodeFilter = { programId: null, creatorId: null, status: null, search: null };
  const codes = (query: string, search: string | null, sort?: string): ListQuery => ({
    list: 'discount codes',
    query,
    read: (db) => listDiscountCodes(db, storeId, { ...anyCode, search }, { ...first, order: orderOf(codeSorts, sort) }),
  });
  return [
    ...sortNames(memberSorts).map((sort) => members(`sort=${sort}`, {}, sort)),
    members('q=noor', { search: 'noor' }),
    members('q=nothing', { search: 'nothing' }),
    ...sortNames(invoiceSorts).map((sort) => invoices(`sort=${sort}`, null, sort)),
    invoices('q=119', '119'),
    ...sortNames(programSorts).map((sort) => programs(`sort=${sort}`, null, sort)),
    programs('q=program 49', 'program 49'),
    programs('q=nothing', 'nothing'),
    ...sortNames(codeSorts).map((sort) => codes(`sort=${sort}`, null, sort)),
    codes('q=save49 (a part of the code)', 'save49'),
    codes("q=noor (a part of the owner's name)", 'noor'),
    codes('q=nothing', 'nothing'),
  ];
}

const anyRelationship: RelationshipFilter = { state: null, isHeld: null, creatorId: null, search: null };

function subscriptionQueries(storeId: Id<'store'>): readonly ListQuery[] {
  const relationships = (query: string, filter: Partial<RelationshipFilter>, sort?: string): ListQuery => ({
    list: 'subscriptions',
    query,
    read: (db) => listRelationships(db, storeId, { ...anyRelationship, ...filter }, { ...first, order: orderOf(relationshipSorts, sort) }),
  });
  return [
    ...sortNames(relationshipSorts).map((sort) => relationships(`sort=${sort}`, {}, sort)),
    relationships('state=ended&sort=bound_at', { state: 'ended' }, 'bound_at'),
    relationships('q=sub-77&sort=-bound_at', { search: 'sub-77' }, '-bound_at'),
    relationships('q=sub-77 (many, by their beginning)', { search: 'sub-77' }),
    relationships("q=noor (many, by their creator's name)", { search: 'noor' }),
    relationships('q=nothing', { search: 'nothing' }),
    relationships('state=ended', { state: 'ended' }),
    relationships('held=true (none)', { isHeld: true }),
  ];
}

function logQueries(storeId: Id<'store'>, commissions: number): readonly ListQuery[] {
  const anyEntry: LogFilter = { status: null, reason: null, operation: null, subject: null, from: null, to: null };
  const log = (query: string, filter: Partial<LogFilter>, sort?: string): ListQuery => ({
    list: 'tracking log',
    query,
    read: (db) => listLogEntries(db, storeId, { ...anyEntry, ...filter }, { ...first, order: orderOf(logSorts, sort) }),
  });
  const rare = rareOf(commissions);
  return [
    ...sortNames(logSorts).map((sort) => log(`sort=${sort}`, {}, sort)),
    log(`q=order-${rare} (one order)`, { subject: `order-${rare}` }),
    log('q=order-77 (many, by their beginning)', { subject: 'order-77' }),
    log('q=nothing', { subject: 'nothing' }),
    log('reason=click_not_found', { reason: 'click_not_found' }),
  ];
}

function auditQueries(list: string, storeId: Id<'store'> | null): readonly ListQuery[] {
  const anyEntry: AuditFilter = { actor: null, actions: null, from: null, to: null };
  const entries = (query: string, filter: Partial<AuditFilter>, sort?: string): ListQuery => ({
    list,
    query,
    read: (db) => listAuditEntries(db, storeId, { ...anyEntry, ...filter }, { ...first, order: orderOf(auditSorts, sort) }),
  });
  const [review, store] = [actionsOfArea('review'), actionsOfArea('store')];
  return [
    ...sortNames(auditSorts).map((sort) => entries(`sort=${sort}`, {}, sort)),
    entries('actor (one in two hundred)', { actor: 'user_100' }),
    entries('actor (few entries)', { actor: 'user_200' }),
    entries('area (a third of the entries)', { actions: review }),
    entries('area (few entries)', { actions: store }),
    entries('actor and area', { actor: 'user_100', actions: review }),
    entries('a month, area', { actions: review, ...monthAgo() }, 'at'),
  ];
}

const monthAgo = () => ({ from: new Date(Date.now() - 60 * dayMs), to: new Date(Date.now() - 30 * dayMs) });

/** What the search of a store asks, each kind for itself; programs and invoices are asked like their lists. */
function searchQueries(storeId: Id<'store'>, commissions: number): readonly ListQuery[] {
  const search = (query: string, read: ListQuery['read']): ListQuery => ({ list: 'search of a store', query, read });
  const orders = (text: string, isWhole: boolean) => (db: Database) =>
    listCommissions(db, storeId, { ...noFilter, source: { text, isWhole } }, { after: null, limit: resultsMax - 1 });
  const rare = rareOf(commissions);
  const of = (text: string) => ({ storeId, text, limit: resultsMax });
  return [
    search(`orders, q=order-${rare} (the whole ID)`, orders(`order-${rare}`, true)),
    search(`orders, q=${rare} (the end of one ID)`, orders(rare, false)),
    search('orders, q=nothing', orders('nothing', false)),
    search('orders of a customer, q=customer-77000 (all of them)', (db) => findCommissionsOfCustomer(db, of('customer-77000'))),
    search('subscriptions, q=sub-77', (db) => findSubscriptionsByStart(db, of('sub-77'))),
    search('creators, q=noor', (db) => findCreatorsOfStore(db, of('noor'))),
    search('creators, q=nothing', (db) => findCreatorsOfStore(db, of('nothing'))),
  ];
}

/** The lists and the reports of one creator. */
export function queriesOfCreator({ storeId, creatorId }: FilledStore, commissions: number): readonly ListQuery[] {
  const sales = (query: string, filter: Partial<CommissionFilter>, sort?: string): ListQuery => ({
    list: 'sales of a creator',
    query,
    read: (db) => listCommissions(db, storeId, { ...noFilter, creatorId, ...filter }, { ...first, order: orderOf(commissionSorts, sort) }),
  });
  const links = (query: string, search: string | null, sort?: string): ListQuery => ({
    list: 'links of a creator',
    query,
    read: (db) =>
      listLinksOfCreator(db, { creatorId, storeIds: [storeId], programId: null, search }, { ...first, order: orderOf(linkSorts, sort) }),
  });
  return [
    ...sortNames(commissionSorts).map((sort) => sales(`sort=${sort}`, {}, sort)),
    sales('q=777', { sourceIdPart: '777' }),
    sales(`q=${rareOf(commissions)}`, { sourceIdPart: rareOf(commissions) }),
    sales('q=nothing', { sourceIdPart: 'nothing' }),
    sales('state=pending', { state: 'pending' }),
    {
      list: 'subscriptions of a creator',
      query: 'newest first',
      read: (db) => listRelationships(db, storeId, { ...anyRelationship, creatorId }, first),
    },
    ...sortNames(linkSorts).map((sort) => links(`sort=${sort}`, null, sort)),
    links('q=products/77', 'products/77'),
    links('q=nothing', 'nothing'),
    ...[30, 365].map((days) => productQuery({ storeId, creatorId }, days)),
    {
      list: 'results of a creator',
      query: 'by link, 365 days',
      read: (db) => listResultLinks(db, { creatorId, storeIds: [storeId], code: null }, daysUntilNow(365)),
    },
  ];
}

/** At the limits of its endpoint. */
const productLimits = { ordersMax: 5_000, bytesMax: 4_000_000, rowsMax: 500 };

function productQuery({ storeId, creatorId }: FilledStore, days: number): ListQuery {
  const range = daysUntilNow(days);
  const limits = { ...productLimits, from: new Date(`${range.from}T00:00:00Z`), to: new Date() };
  return {
    list: 'products of a creator',
    query: `${days} days`,
    read: (db) => listProducts(db, { storeId, creatorId, code: null, range }, limits),
  };
}

const daysUntilNow = (days: number) => ({ from: dayOf(new Date(Date.now() - (days - 1) * dayMs)), to: dayOf(new Date()) });

function payoutQueries(): readonly ListQuery[] {
  const payouts = (query: string, filter: Partial<PayoutFilter>, sort?: string): ListQuery => ({
    list: 'payouts of the installation',
    query,
    read: (db) => listPayouts(db, { state: null, provider: null, ...filter }, { ...first, order: orderOf(payoutSorts, sort) }),
  });
  return [
    ...sortNames(payoutSorts).map((sort) => payouts(`sort=${sort}`, {}, sort)),
    ...['-made_at', '-amount_cents'].flatMap((sort) => [
      payouts(`state=failed&sort=${sort} (one in two hundred)`, { state: 'failed' }, sort),
      payouts(`state=returned&sort=${sort} (none)`, { state: 'returned' }, sort),
    ]),
  ];
}

/** The lists and the search of operators. */
export function queriesOfInstallation(): readonly ListQuery[] {
  const found = ['noor', 'nothing'];
  return [
    ...sortNames(creatorSorts).map((sort): ListQuery => ({
      list: 'creators of the installation',
      query: `sort=${sort}`,
      read: (db) => listCreators(db, { ...first, order: orderOf(creatorSorts, sort) }),
    })),
    ...sortNames(storeSorts).map((sort): ListQuery => ({
      list: 'stores of the installation',
      query: `sort=${sort}`,
      read: (db) => allStores(db, { ...first, order: orderOf(storeSorts, sort) }),
    })),
    ...payoutQueries(),
    ...auditQueries('audit log of the installation', null),
    ...found.map((search): ListQuery => ({
      list: 'creators of the installation',
      query: `q=${search}`,
      read: (db) => listCreators(db, { ...first, search }),
    })),
    ...['store 777', 'nothing'].map((search): ListQuery => ({
      list: 'stores of the installation',
      query: `q=${search}`,
      read: (db) => allStores(db, { ...first, search }),
    })),
    ...found.map((text): ListQuery => ({
      list: 'search of the installation',
      query: `creators, q=${text}`,
      read: (db) => findCreators(db, { text, limit: resultsMax }),
    })),
    ...['store 777', 'nothing'].map((text): ListQuery => ({
      list: 'search of the installation',
      query: `stores, q=${text}`,
      read: (db) => findStores(db, { text, limit: resultsMax }),
    })),
  ];
}
