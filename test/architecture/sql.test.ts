import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMigrations } from '../../src/db/migrate.ts';
import { readLayers } from './rules.ts';
import { groupOf, readTables, statementViolations, tableViolations } from './schema.ts';
import { readSources, type Source } from './source.ts';
import {
  bindingViolations,
  ownershipViolations,
  readingViolations,
  selectListViolations,
  setBasedViolations,
  sqlLocationViolations,
  tablesIn,
  wordingViolations,
} from './sql.ts';

const layers = readLayers(readFileSync('ARCHITECTURE.md', 'utf8'));
const server = readSources('src/**/*.ts');
const migrations = readMigrations();
const tables = readTables(migrations);

/** Files with SQL that are named otherwise, each with its reason. */
const otherSqlFiles = {};

/** Questions that mean the rows of all stores or creators, each with its reason. */
const crossing = {
  'src/rollups/rollups-sql.ts listStoresToFold': 'the nightly fold finds the stores whose rows it could not fold together with the others',
  'src/merchants/stores-sql.ts allStores': "the operators' list of stores, by primary key, a page at a time",
  'src/creators/suspended-creators-sql.ts listUncopiedSuspensions': 'the job finds the suspensions to copy, by an index of nothing else',
  'src/creators/creators-sql.ts listCreators': "the operators' list of creators, by primary key, a page at a time",
  'src/payouts/payouts-sql.ts listPayouts': "the operators' list of payouts, by an index of their order, a page at a time",
  'src/operations/search-sql.ts findStores': "the operators' search of stores, by an index of names and the newest by primary key",
  'src/operations/search-sql.ts findCreators': "the operators' search of creators, by an index of names and the newest by primary key",
  'src/commissions/review-sql.ts findNextAutoApproval':
    'a backlog of hours asks when the next automatic approval is due, by the same index',
  'src/commissions/review-sql.ts findNextUnannouncedApproval': 'a backlog asks when the next announcement is due, by the same index',
  'src/commissions/billing-sql.ts findNextBillable': 'a backlog asks when something can be billed next, by an index of nothing else',
  'src/billing/invoices-sql.ts earliestChargeDue': 'a backlog asks when an invoice is to be charged next, by a partial index',
  'src/portal/digest-sql.ts findNextActivity': 'a backlog asks when the next digest is due, by primary keys, one row of each store',
  'src/risk/signals-sql.ts findEarliestAssessable': 'a backlog asks when there is more to assess, by primary keys, one row of each store',
  'src/commissions/review-sql.ts listStoresDueForAutoApproval':
    'the nightly job finds the stores with automatic approvals, by a small partial index',
  'src/ledger/store-ledger-sql.ts storeBalanceDifferences': 'verification adds up what every store owes, in the background for it',
  'src/reports/general-ledger-sql.ts trialBalance': "the operators' trial balance adds up what is kept of every store and creator",
  'src/ledger/creator-ledger-sql.ts creatorBalanceDifferences': 'verification',
  'src/ledger/negative-balances-sql.ts negativeCreatorBalances': 'verification',
  'src/ledger/negative-balances-sql.ts negativeStoreBalances': 'verification',
  'src/commissions/billing-sql.ts listStoresWithBillable':
    'billing finds the stores with something to invoice, by an index of nothing else',
  'src/commissions/creator-outbox-sql.ts listStoresWithUndeliveredEntries':
    'delivery finds the stores with something to deliver, by an index of nothing else',
  'src/billing/charges-sql.ts listUnfinishedCharges': 'the job resumes charges that have no end, by an index of nothing else',
  'src/billing/charges-sql.ts listUnsettledCharges': "the operators' list of charges without an end, by an index of nothing else",
  'src/billing/charges-sql.ts listUnmatchedCharges': "the operators' list of unmatched charges, by an index of nothing else",
  'src/review/disputes-sql.ts listDisputesOfAllStores': "the operators' list of disputes, the newest of each store by an index",
  'src/review/review-queue-sql.ts listReviewQueue': "the operators' list of what awaits a review, the oldest of each store by an index",
  'src/operations/overview-sql.ts countOpenDisputes': "the operators' overview counts the open disputes, by an index of nothing else",
  'src/billing/chargebacks-sql.ts listDisputesToUndo': 'the job resumes what was taken back, by an index of nothing else',
  'src/billing/invoices-sql.ts listInvoicesToCharge':
    'the daily job charges what is due in all stores, by a partial index, a chunk at a time',
  'src/billing/invoices-sql.ts listInvoicesBeingCharged':
    "an operator's run reports what is being charged in all stores, by a partial index",
  'src/billing/invoices-sql.ts listInvoicesWithNewMethod': 'the job charges what waited for a new payment method, by a partial index',
  'src/billing/invoices-sql.ts listInvoicesToCollect':
    'the job resumes invoices that are paid and not collected, by an index of nothing else',
  'src/billing/invoices-sql.ts listStoresWithDraft': 'the job resumes invoices that a run began to draft, by an index of nothing else',
  'src/billing/billing-settings-sql.ts listStoresWithUnbilledArchiving': 'the daily job invoices archived stores once; they are few',
  'src/billing/billing-settings-sql.ts listStoresWithPastDueNotices': 'the job continues to notify creators, by an index of nothing else',
  'src/orders/verify-terms-sql.ts countOrdersWithChoices': 'verification',
  'src/orders/verify-terms-sql.ts ordersWithChoices': 'verification',
  'src/leads/verify-sql.ts leadsWithChoices': 'verification',
  'src/leads/verify-sql.ts leadsWithAttribution': 'verification',
  'src/orders/verify-attribution-sql.ts ordersWithAttribution': 'verification',
  'src/subscriptions/verify-sql.ts bindsWithAttribution': 'verification',
  'src/subscriptions/verify-sql.ts customersWithoutBinding': 'verification',
  'src/subscriptions/verify-sql.ts bindsWithChoices': 'verification',
  'src/leads/verify-sql.ts leadsWithWrongPostings': 'verification',
  'src/leads/verify-sql.ts leadReversalsWithoutEffect': 'verification',
  'src/subscriptions/verify-sql.ts bindingsThatDiffer': 'verification',
  'src/bonuses/verify-sql.ts bonusesWithWrongPostings': 'verification',
  'src/bonuses/verify-sql.ts goalsThatDiffer': 'verification',
  'src/merchants/terms-sql.ts listProgramsWithGoals':
    'the daily job decides the goals of programs that have any, by an index of nothing else',
  'src/merchants/terms-sql.ts hasGoals': 'whether that job has work, by the same index',
  'src/billing/verify-sql.ts invoicesThatDiffer': 'verification',
  'src/billing/verify-sql.ts numbersWithGaps': 'verification',
  'src/billing/verify-sql.ts linesThatDiffer': 'verification',
  'src/billing/verify-sql.ts commissionsOutOfTime': 'verification',
  'src/billing/verify-sql.ts paymentsThatDiffer': 'verification',
  'src/billing/verify-sql.ts commissionsOwedThatDiffer': 'verification',
  'src/billing/verify-sql.ts cashThatDiffers': 'verification',
  'src/billing/verify-sql.ts creditThatDiffers': 'verification',
  'src/orders/budget-notices-sql.ts listStoresWithUnsentNotices':
    'the hourly job emails notices of used budgets, by an index of nothing else',
  'src/orders/budget-notices-sql.ts findFirstUnsentNotice': 'when that job has work next, by the same index',
  'src/commissions/verify-sql.ts refundDifferences': 'verification',
  'src/commissions/verify-rules-sql.ts conditionDifferences': 'verification',
  'src/commissions/verify-precedence-sql.ts rulesOfVersions': 'verification',
  'src/commissions/verify-rules-sql.ts budgetDifferences': 'verification',
  'src/commissions/verify-tiers-sql.ts tierDifferences': 'verification',
  'src/creators/verify-sql.ts membersOutsideDirectory': 'verification',
  'src/commissions/verify-sql.ts commissionTermsDifferences': 'verification',
  'src/commissions/verify-sql.ts expectedBalanceDifferences': 'verification',
  'src/commissions/rollups-sql.ts rollupDifferences': 'verification',
  'src/orders/verify-sql.ts ordersWithWrongPostings': 'verification',
  'src/orders/verify-sql.ts clickClaimsThatDiffer': 'verification',
  'src/subscriptions/verify-sql.ts usesWithoutOrder': 'verification',
  'src/orders/verify-sql.ts firstOrdersThatDiffer': 'verification',
  'src/orders/verify-sql.ts reversalsWithoutEffect': 'verification',
  'src/orders/verify-sql.ts testOrdersWithMoney': 'verification',
  'src/subscriptions/verify-sql.ts invoicesWithWrongPostings': 'verification',
  'src/subscriptions/verify-sql.ts invoicesWithMoney': 'verification',
  'src/subscriptions/verify-sql.ts invoiceReversalsWithoutEffect': 'verification',
  'src/subscriptions/verify-sql.ts relationshipsWithWrongCounts': 'verification',
  'src/subscriptions/verify-sql.ts rulesThatDiffer': 'verification',
  'src/rollups/rollups-sql.ts foldLinkDays':
    "the nightly job adds up the finished days of all stores' links, a limited number of rows at a time",
  'src/rollups/rollups-sql.ts foldStoreDays': 'the nightly job adds up the finished days of all stores, a limited number of rows at a time',
  'src/stripe-orders/connections-sql.ts listConnectedStores':
    'the stores whose Stripe events are processed, a page at a time; other stores have no row',
  'src/shopify-orders/connections-sql.ts listConnectedStores':
    'the stores whose Shopify orders are processed and compared, a page at a time; other stores have no row',
  'src/notify/store-events-sql.ts listStoresWithListeners':
    'webhooks find the stores that have webhook endpoints, by a table of nothing else',
  'src/webhooks/events-sql.ts listCollectingStores': 'the nightly job forgets old events of the stores that were ever listened to',
  'src/operations/overview-sql.ts countInstallation': "the operators' overview counts stores and creators, a small row of each",
  'src/operations/overview-sql.ts listPastDueStores': "the operators' overview names the stores that cannot be charged",
  'src/operations/overview-sql.ts readSalesSince': "the operators' overview adds up some rows of each store's days, by primary key",
  'src/operations/overview-sql.ts countPayoutsInFlight':
    "the operators' overview adds up what is not at its end, by an index of nothing else",
  'src/operations/overview-sql.ts countChargesInFlight':
    "the operators' overview adds up charges without an end, by an index of nothing else",
  'src/outreach/messages-sql.ts listUnsentMessages': 'the job finds the messages to send, by an index of nothing else',
  'src/outreach/imports-sql.ts listRunningImports': 'the job finds the imports that run, by an index of nothing else',
  'src/outreach/imports-sql.ts deleteImportsBefore': 'the nightly job deletes the few imports of all stores that are older than a month',
  'src/outreach/imports-sql.ts deleteImportRowsOf': 'a person is erased rarely; the rows are deleted after 30 days',
  'src/creators/erase-sql.ts eraseSuspenderName': 'an operator is erased a few times in the life of an installation; suspensions are few',
  'src/payouts/earnings-sql.ts listCreatorsWithFreeEarnings':
    'a payout run finds the creators with something free, by an index of nothing else',
  'src/payouts/payouts-sql.ts listOpenPayouts': 'going on with payouts finds those that are not at their end, by an index of nothing else',
  'src/risk/same-person-sql.ts listPairs': 'the risk assessment compares all stores and their creators, a page at a time, by primary key',
  'src/risk/signals-sql.ts listStoresToAssess': 'the risk assessment reads all stores, a page at a time, by primary key',
  'src/risk/signals-sql.ts listLargeFirstPayouts': 'the risk assessment finds large first payouts, by an index of what is free',
  'src/risk/verify-sql.ts countHolds': 'verification',
  'src/risk/verify-sql.ts payoutsSentDespiteHolds': 'verification',
  'src/payouts/verify-sql.ts entriesThatDiffer': 'verification',
  'src/payouts/verify-sql.ts earningsThatDiffer': 'verification',
  'src/payouts/verify-sql.ts accountsThatDiffer': 'verification',
  'src/payouts/verify-sql.ts storeBooks': 'verification',
  'src/payouts/verify-sql.ts creatorBooks': 'verification',
  'src/payouts/verify-sql.ts booksThatDiffer': 'verification',
  'src/payouts/verify-sql.ts entriesOnTheirWay': 'verification',
  'src/payouts/verify-sql.ts creatorsBelowZero': 'verification',
  'src/payouts/verify-sql.ts creatorsLosingOnTheirWay': 'verification',
  'src/payouts/verify-sql.ts commissionsThatDiffer': 'verification',
  'src/payouts/verify-sql.ts payoutsThatDiffer': 'verification',
  'src/payouts/verify-sql.ts payoutsContradicted': 'verification',
};

/** Tables with a store_id or creator_id that are keyed by something else, and such keys of other tables, each with its reason. */
const keyedOtherwise = {
  'orders (transaction_id)': 'a second index that began with the store would be taken for the first: migrations/0026',
  'stores (lower(left(name, 100)) text_pattern_ops, store_id)': "the operators' search of all stores: migrations/0047",
  'creators (lower(left(name, 100)) text_pattern_ops, creator_id)': "the operators' search of all creators: migrations/0047",
  'stores (lower(name), store_id)': "the operators' list of all stores by name: migrations/0072",
  'creators (lower(name), creator_id)': "the operators' list of all creators by name: migrations/0072",
  'payouts (amount_cents, payout_id)': "the operators' list of all payouts by amount: migrations/0072",
  'payouts (payout_id)': "the operators' list of all payouts by time: migrations/0072",
  users: 'people are small and not spread; the creator of a user',
  store_roles: 'what a person may do is asked by the person at every request',
  api_keys: 'a key is looked up by its hash; small and not spread',
  invitations: 'small and not spread; operators are invited too',
  program_invitations: 'not spread; a person finds the invitations to their address in all stores',
  audit_log: 'operators and people have entries without a store',
  mails: 'a queue of the installation; most mails belong to no store',
  tracking_keys: 'the directory: which store a tracking key means',
  link_codes: 'the directory: which store a link code means',
  risk_cases: "the operators' list across stores and creators; small and not spread",
  program_directory: 'the directory: which store a program means',
  shopify_shops: 'the directory: which store a Shopify shop belongs to',
  charge_references: 'the directory: whose a charge is, which is all that a webhook event of a provider names',
  store_cards: 'the directory: which stores pay by one card',
  payout_directory: 'the directory: whose a payout is; operators and providers know nothing but its id',
};

const snippet = (path: string, text: string): Source => ({ path, text });
const queries = (text: string, path = 'src/orders/orders-sql.ts') => [
  snippet(path, `export const question = (db: Queryable) => db.all(sql\`${text}\`);`),
];

test('SQL is only in sql.ts, in *-sql.ts, and in the database folder of the platform', () => {
  expect(sqlLocationViolations(server, otherSqlFiles)).toEqual([]);
});

test('finds SQL elsewhere, and an exception that is not needed', () => {
  expect(sqlLocationViolations(queries('select 1', 'src/orders/api.ts'), {})).toHaveLength(1);
  expect(sqlLocationViolations([snippet('src/orders/api.ts', `await client.query('select 1');`)], {})).toHaveLength(1);
  expect(sqlLocationViolations(queries('select 1', 'src/orders/order-sql.ts'), { 'src/orders/api.ts': 'gone' })).toHaveLength(1);
});

test("every question to a store's table binds the store, every question to a creator's the creator", () => {
  expect(bindingViolations(server, tables, crossing)).toEqual([]);
});

/** The SQL of clicks and postbacks, and of the public pages of programs. */
const hotPath = readSources(
  'src/clicks/*-sql.ts',
  'src/commissions/{commissions,refunds}-sql.ts',
  'src/creators/{discount-codes,refused-orders,resolve-links,suspended-creators}-sql.ts',
  'src/leads/leads-sql.ts',
  'src/ledger/store-ledger-sql.ts',
  'src/merchants/{integration,postback-keys,program-assets,program-page,terms}-sql.ts',
  'src/orders/{orders,partners}-sql.ts',
  'src/portal/leaderboards-sql.ts',
  'src/rollups/rollups-sql.ts',
  'src/subscriptions/{events,invoices,relationships}-sql.ts',
  'src/tracking/log-sql.ts',
);

test('every statement of clicks, postbacks, and public pages names one store as a value, or inserts rows of values', () => {
  expect(hotPath.length).toBeGreaterThan(20);
  expect(setBasedViolations(hotPath, tables, crossing)).toEqual([]);
});

const small = readTables([
  {
    name: '0001-a.sql',
    text: `
      create table orders (store_id uuid not null, order_id uuid not null, clicks int, primary key (store_id, order_id));
      create table lines (store_id uuid, line_id uuid, order_id uuid, primary key (store_id, line_id));
      create table payouts (creator_id uuid, payout_id uuid, primary key (creator_id, payout_id));
      create table jobs (job text primary key);`,
  },
]);

test.each([
  'select order_id from orders where order_id = ${id}',
  'select store_id, order_id from orders where order_id = ${id}',
  'select o.order_id from orders o join lines l on l.order_id = o.order_id where o.store_id = ${store}',
  'select o.order_id from orders o, lines l where o.store_id = ${store}',
  'select order_id from orders where store_id = ${store} and exists (select 1 from lines where line_id = ${id})',
  'update orders set clicks = 0 where order_id = ${id}',
  'delete from lines using orders where lines.store_id = ${store} and lines.order_id = orders.order_id',
  'insert into orders (order_id) values (${id})',
  'insert into orders (store_id, order_id) select l.store_id, l.order_id from lines l',
  'select payout_id from payouts where payout_id = ${id}',
  '-- where store_id = 1\nselect order_id from orders',
])('a question that leaves a store or creator out is seen: %s', (text) => {
  expect(bindingViolations(queries(text), small, {})).toHaveLength(1);
  expect(bindingViolations(queries(text), small, { 'src/orders/orders-sql.ts question': 'reconciliation' })).toEqual([]);
});

test.each([
  'select order_id from orders where store_id = ${store}',
  'select o.order_id from orders o join lines l on l.store_id = o.store_id and l.order_id = o.order_id where o.store_id = ${store}',
  'select order_id from orders join lines using (store_id, order_id) where orders.store_id = ${store}',
  'select o.order_id from unnest(${uuids(a)}, ${uuids(b)}) as given (store_id, id) join orders o on (o.store_id, o.order_id) = (given.store_id, given.id)',
  'insert into orders (store_id, order_id) values (${store}, ${id}) on conflict (store_id, order_id) do update set clicks = 1',
  'update orders set clicks = 0 where store_id = any(${stores})',
  'select order_id, clicks from orders where store_id = ${store} for update of orders',
  'select payout_id from payouts where creator_id = ${creator}',
  'select job from jobs where job = ${job}',
  "select job from jobs where job = 'all from orders'",
])('a question that binds all is no violation: %s', (text) => {
  expect(bindingViolations(queries(text), small, {})).toEqual([]);
});

test.each([
  'insert into orders (store_id, order_id) select * from unnest(${stores}, ${ids})',
  'select order_id from orders where store_id = any(${stores})',
  'select o.order_id from unnest(${stores}, ${ids}) as given (store_id, id) join orders o on o.store_id = given.store_id and o.order_id = given.id',
  'update orders set clicks = 0 from unnest(${stores}) as given (store_id) where orders.store_id = given.store_id',
])('a statement over a set of stores is seen: %s', (text) => {
  expect(setBasedViolations(queries(text), small, {})).toHaveLength(1);
});

test.each([
  'select order_id from orders where store_id = ${store} and order_id = any(${ids})',
  'insert into orders (store_id, order_id) ${columns} on conflict do nothing',
  'insert into orders (store_id, order_id) values (${store}, ${id})',
  'select job from jobs',
])('a statement over one store is no violation: %s', (text) => {
  expect(setBasedViolations(queries(text), small, {})).toEqual([]);
});

test('a subquery in a select list names the store as a value, as the statement does', () => {
  expect(selectListViolations(server, tables)).toEqual([]);
});

test.each([
  'select o.order_id, exists (select 1 from lines l where l.store_id = o.store_id) as has from orders o where o.store_id = ${store}',
  'select 1 + (select count(*) from lines l where l.store_id = o.store_id) from orders o where o.store_id = ${store}',
])('a subquery in a select list that does not is seen: %s', (text) => {
  expect(selectListViolations(queries(text), small)).toHaveLength(1);
});

test.each([
  'select o.order_id, exists (select 1 from lines l where l.store_id = ${store}) as has from orders o where o.store_id = ${store}',
  'select o.order_id from orders o where o.store_id = ${store} and exists (select 1 from lines l where l.store_id = o.store_id)',
  'select (select count(*) from lines l where l.store_id = o.store_id) from orders o',
  'select (select count(*) from jobs) from orders o where o.store_id = ${store}',
])('a subquery in a select list that does, or another one, is no violation: %s', (text) => {
  expect(selectListViolations(queries(text), small)).toEqual([]);
});

test('a question in the list of crossing ones that crosses no more is seen', () => {
  expect(bindingViolations([], small, { 'src/orders/orders-sql.ts question': 'reconciliation' })).toHaveLength(1);
});

test('the tables of a question are found in lists and after joins, and columns are not taken for tables', () => {
  expect(tablesIn('select a, lines from orders as o, lines l left join only payouts on true where jobs = ?')).toEqual([
    'orders',
    'lines',
    'payouts',
  ]);
});

test('a table is written by one module, and read by that module and higher layers', () => {
  expect(ownershipViolations(server, tables)).toEqual([]);
  expect(readingViolations(layers, server, tables)).toEqual([]);
});

test('finds a second writer of a table, and a reader in a lower layer', () => {
  const plan = readLayers('| 2 | `orders` | x |\n| 1 | `ledger` `capture` | x |');
  const writes = (folder: string, text: string) => queries(text, `src/${folder}/sql.ts`);
  const inserts = writes('orders', 'insert into orders (store_id) values (${store})');
  expect(ownershipViolations([...inserts, ...writes('ledger', 'update orders set clicks = 0')], small)).toHaveLength(1);
  expect(ownershipViolations([...inserts, ...writes('ledger', 'delete from orders')], small)).toHaveLength(1);
  expect(ownershipViolations([...inserts, ...writes('ledger', 'select 1 from orders for update')], small)).toEqual([]);
  expect(readingViolations(plan, [...inserts, ...writes('ledger', 'select 1 from orders')], small)).toHaveLength(1);
  const below = writes('ledger', 'insert into lines (store_id) values (${store})');
  expect(readingViolations(plan, [...below, ...writes('capture', 'select 1 from lines')], small)).toHaveLength(1);
  expect(readingViolations(plan, [...below, ...writes('orders', 'select 1 from lines')], small)).toEqual([]);
});

test('SQL is lower case, uses neither time nor randomness, and changes one table at a time', () => {
  expect(wordingViolations(server)).toEqual([]);
  for (const text of [
    'select now()',
    'select current_timestamp',
    'select gen_random_uuid()',
    'SELECT 1',
    'with a as (delete from jobs returning job) select job from a',
  ]) {
    expect(wordingViolations(queries(text)), text).toHaveLength(1);
  }
  expect(wordingViolations(queries("select 'SELECT now()'"))).toEqual([]);
});

test('migrations make tables and indexes, and nothing that a distributed engine could not run unchanged', () => {
  expect(statementViolations(migrations)).toEqual([]);
});

test.each([
  'create function a() returns int language sql as $$ select 1 $$;',
  'create trigger a before insert on orders execute function b();',
  'create sequence a;',
  'merge into orders using lines on true when matched then delete;',
  'create table a (at timestamptz primary key default now());',
  'create table a (at timestamptz primary key default current_timestamp);',
  'create table a (id bigserial primary key);',
  'create table a (id bigint generated always as identity primary key);',
  'create table a (id uuid primary key default gen_random_uuid());',
  'create table a (b int, exclude using gist (b with =));',
  'drop table a cascade;',
])('a migration with %s is seen', (text) => {
  expect(statementViolations([{ name: '0001-a.sql', text }])).toHaveLength(1);
});

test('a gap in the numbers of the migrations is seen', () => {
  expect(statementViolations([{ name: '0002-a.sql', text: '' }])).toHaveLength(1);
});

test("a store's tables begin every key with the store, a creator's with the creator, and refer to their own kind", () => {
  expect(tableViolations(tables, keyedOtherwise)).toEqual([]);
  expect([...tables.values()].filter((table) => groupOf(table) === 'store_id').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['stores', 'programs', 'links']),
  );
  expect([...tables.values()].filter((table) => groupOf(table) === 'creator_id').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['creators']),
  );
});

const order = 'create table orders (store_id uuid not null, order_id uuid not null, primary key (store_id, order_id));';
test.each([
  'create table a (store_id uuid, a_id uuid primary key);',
  'create table a (b int);',
  'create table a (store_id uuid, b text unique, primary key (store_id, b));',
  'create table a (store_id uuid, b text, primary key (store_id, b), unique (b, store_id));',
  'create table a (store_id uuid, b text, primary key (store_id)); create index c on a (b);'.replace('; ', ';\n'),
  'create table a (store_id uuid, b text, primary key (store_id)); create unique index c on a (b) where b is null;'.replace('; ', ';\n'),
  'create table a (store_id uuid, b text, primary key (store_id)); alter table a add constraint c unique (b);'.replace('; ', ';\n'),
  'create table a (store_id uuid, b uuid, primary key (store_id), foreign key (b, store_id) references orders);',
  'create table a (creator_id uuid primary key, store_id uuid, order_id uuid, foreign key (store_id, order_id) references orders);',
  'create table a (a_id uuid primary key, b uuid references orders);',
  'create table a (store_id uuid primary key references people);',
  'create table a (store_id uuid primary key, price_cents int);',
  'create table a (store_id uuid primary key, share numeric);',
  'create table a (store_id uuid primary key, at timestamp);',
])('a schema with %s is seen', (text) => {
  expect(tableViolations(readTables([{ name: '0001-a.sql', text: `${order}\n${text}` }]), {})).toHaveLength(1);
});

test('a table that the rules do not understand stops them, instead of escaping', () => {
  expect(() => readTables([{ name: '0001-a.sql', text: 'create table a (b int) tablespace c;' }])).toThrow('do not understand');
  expect(readTables([{ name: '0001-a.sql', text: 'create table a partition of b default;' }]).size).toBe(0);
});

test.each(['orders', 'orders (clicks)'])('an exception for %s, which needs none, is seen', (name) => {
  expect(tableViolations(readTables([{ name: '0001-a.sql', text: order }]), { [name]: 'no reason' })).toHaveLength(1);
});
