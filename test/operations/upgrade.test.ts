import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { migrate, migrationsFolder, readMigrations } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { tablesOf } from '../../src/db/backup-tables.ts';
import { invariant } from '../../src/core/invariant.ts';
import { upgrade } from '../../src/app/upgrade.ts';
import { verify } from '../../src/app/verify.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { isFull } from '../support/size.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** The content of a database at some version: its tables with their rows, as JSON. */
type Rows = ReadonlyArray<{ readonly table: string; readonly columns: readonly string[]; readonly rows: string }>;

/** From this version on there are invoices, and payouts based on the creator ledger. */
const billedFrom = 12;
/** From this version on the daily counts include rejected and reversed orders. */
const lostCountedFrom = 33;
/** From this version on there are subscriptions. */
const subscribedFrom = 6;

let ordersOnly: Rows;
let beforeInvoices: Rows;
let withPayouts: Rows;
let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
  await merchant.moveToSpring();
  const reviewer = reviewerOf(merchant);
  const approved = [await reviewer.sale({ order_subtotal_cents: 40_000 }), await reviewer.sale({ order_subtotal_cents: 20_000 })];
  const [rejected, reversed] = [await reviewer.sale(), await reviewer.sale()];
  await reviewer.act('approve', { ids: approved.map(({ commissionId }) => commissionId) });
  await reviewer.act('reject', { ids: [rejected.commissionId] });
  await merchant.reverse({ order_id: reversed.orderId, occurred_at: merchant.at() });
  ordersOnly = await rowsOf(merchant.database);
  const subscriber = subscriberOf(merchant);
  const invoice = { invoice_id: 'an invoice of a subscription' };
  for (const response of [await subscriber.bind(), await subscriber.reportInvoice(invoice), await subscriber.refund(invoice)])
    invariant(response.json.reason === 'recorded', `the postback was recorded: ${response.text}`);
  beforeInvoices = await rowsOf(merchant.database);
  await merchant.moveClock('31d');
  await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  await merchant.moveClock('45d');
  withPayouts = await rowsOf(merchant.database);
});
afterAll(() => merchant.service.stop());

test('the upgraded history has data of every module', () => {
  const counts = (rows: Rows) => Object.fromEntries(rows.map(({ table, rows: json }) => [table, listed(json).length]));
  const [early, late] = [counts(beforeInvoices), counts(withPayouts)];
  const ofOrders = ['users', 'stores', 'clicks', 'orders', 'order_reversals', 'commissions', 'transfers', 'decisions'];
  const ofSubscriptions = ['relationships', 'relationship_invoices', 'subscription_events'];
  for (const table of [...ofOrders, ...ofSubscriptions]) expect(early[table], table).toBeGreaterThan(0);
  expect(early).toMatchObject({ invoices: 0, charges: 0, payouts: 0, creator_transfers: 0 });
  for (const table of ['invoices', 'charges', 'creator_entries', 'creator_transfers', 'payouts'])
    expect(late[table], table).toBeGreaterThan(0);
});

/** `npm test` starts at the versions whose data differ, and at the latest three; `npm run test:full` at each version. */
const latest = readMigrations().length;
const isChecked = (number: number): boolean =>
  isFull || [1, subscribedFrom, billedFrom, lostCountedFrom].includes(number) || number > latest - 3;
const versions = readMigrations().filter(({ number }) => isChecked(number));

test.each(versions.map(({ number, name }) => [number, name] as const))(
  'a database with data at migration %i (%s) is upgraded to the latest version, keeps every row, and passes verification',
  async (number) => {
    const database = testDatabase(await emptyDatabase());
    await migrateUpTo(database, number);
    const then = number < subscribedFrom ? ordersOnly : number < billedFrom ? beforeInvoices : withPayouts;
    const kept = await write(database, number < lostCountedFrom ? withoutLost(then) : then);
    const before = await contentOf(database, kept);
    await upgrade({ database, jobsDatabase: database });
    expect(await contentOf(database, kept)).toEqual(before);
    const results = await verify({ jobsDatabase: database });
    expect(results.flatMap(({ what, differences }) => differences.map(({ detail }) => `${what}: ${detail}`))).toEqual([]);
    await database.end();
  },
);

const listed = (json: string): readonly unknown[] => JSON.parse(json);

async function rowsOf(database: Database): Promise<Rows> {
  const tables = await database.all<{ table: string; columns: string[] }>(sql`
    select relname as table, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
    group by relname`);
  const found: Array<Rows[number]> = [];
  for (const { table, columns } of tables) {
    const { rows } = await database.pool.query<{ json: string }>(`select coalesce(jsonb_agg(t), '[]')::text as json from ${table} t`);
    found.push({ table, columns, rows: rows[0]?.json ?? '[]' });
  }
  return found;
}

/** The migrations of an earlier version. */
async function migrateUpTo(database: Database, number: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-migrations-'));
  for (const one of readMigrations().slice(0, number)) await cp(new URL(one.name, migrationsFolder), join(folder, one.name));
  await migrate(database, pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
}

/** The daily counts of older versions; the upgrade adds what was rejected or reversed. */
const withoutLost = (all: Rows): Rows =>
  all.map((one) => {
    if (one.table !== 'link_days' && one.table !== 'store_days') return one;
    const days = (listed(one.rows) as ReadonlyArray<{ readonly what: string }>).filter(({ what }) => what !== 'lost');
    return { ...one, rows: JSON.stringify(days) };
  });

/** The tables of a version with their columns, as far as the newest version has them. */
type Kept = ReadonlyMap<string, string>;

/** Removes what a database of that version could not contain. Returns the tables that an upgrade leaves unchanged. */
async function write(database: Database, all: Rows): Promise<Kept> {
  const client = await database.connect('unbounded');
  const there = new Map((await tablesOf(client)).map(({ table, columns }) => [table, columns]));
  const kept = new Map<string, string>();
  for (const [table, columns] of there) {
    const found = all.find((one) => one.table === table);
    if (found === undefined || table === 'schema_migrations') continue;
    const shared = columns.filter((column) => found.columns.includes(column)).join(', ');
    await client.query(`truncate ${table} cascade`);
    await client.query(`insert into ${table} (${shared}) select ${shared} from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
      found.rows,
    ]);
    // Daily counts are rebuilt when a version introduces them; verification compares them with the commissions.
    if (table !== 'link_days' && table !== 'store_days') kept.set(table, shared);
  }
  await client.end();
  return kept;
}

/** The number of rows of each table, and a hash of their content. */
async function contentOf(database: Database, kept: Kept): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {};
  for (const [table, columns] of kept) {
    const { rows } = await database.pool.query<{ content: string }>(`
      select count(*) || ' rows, ' || md5(coalesce(string_agg(kept::text, E'\\n' order by kept::text), '')) as content
      from (select ${columns} from ${table}) as kept`);
    content[table] = rows[0]?.content ?? '';
  }
  return content;
}
