import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { migrate, migrationsFolder, readMigrations } from '../../src/platform/database/migrate.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { moveSandboxClock } from '../../src/platform/database/sandbox-clock.ts';
import { tablesOf } from '../../src/platform/database/backup-tables.ts';
import { upgrade } from '../../src/upgrade.ts';
import { verify } from '../../src/verify.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** What a database held at some time: its tables with their rows, as JSON. */
type Rows = ReadonlyArray<{ readonly table: string; readonly columns: readonly string[]; readonly rows: string }>;

/** From here on there are bills, and payouts by the book of the creators. */
const billedFrom = 12;
/** From here on there are subscriptions. */
const subscribedFrom = 6;

let ordersOnly: Rows;
let beforeBills: Rows;
let withPayouts: Rows;
let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
  // Spring, whenever this runs: the 15th of December has rules of its own.
  const { nightDatabase, clock } = merchant.service.platform;
  await moveSandboxClock(nightDatabase, clock, new Date(Date.UTC(clock.now().getUTCFullYear() + 1, 2, 5, 12)));
  const reviewer = reviewerOf(merchant);
  const approved = [await reviewer.sale({ order_subtotal_cents: 40_000 }), await reviewer.sale({ order_subtotal_cents: 20_000 })];
  const [rejected, reversed] = [await reviewer.sale(), await reviewer.sale()];
  await reviewer.act('approve', { ids: approved.map(({ commissionId }) => commissionId) });
  await reviewer.act('reject', { ids: [rejected.commissionId] });
  await merchant.reverse({ order_id: reversed.orderId, occurred_at: merchant.at() });
  ordersOnly = await rowsOf(merchant.database);
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  await subscriber.bill();
  await subscriber.refund(subscriber.refundBody());
  beforeBills = await rowsOf(merchant.database);
  await merchant.moveClock('31d');
  await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  await merchant.moveClock('45d');
  withPayouts = await rowsOf(merchant.database);
});
afterAll(() => merchant.service.stop());

test('the history that is upgraded has what each part of the house keeps', () => {
  const counts = (rows: Rows) => Object.fromEntries(rows.map(({ table, rows: json }) => [table, listed(json).length]));
  const [early, late] = [counts(beforeBills), counts(withPayouts)];
  const facts = ['users', 'stores', 'clicks', 'orders', 'order_reversals', 'commissions', 'transfers', 'relationships', 'decisions'];
  for (const table of facts) expect(early[table], table).toBeGreaterThan(0);
  expect(early).toMatchObject({ invoices: 0, charges: 0, payouts: 0, creator_transfers: 0 });
  for (const table of ['invoices', 'charges', 'creator_entries', 'creator_transfers', 'payouts'])
    expect(late[table], table).toBeGreaterThan(0);
});

test.each(readMigrations().map(({ number, name }) => [number, name] as const))(
  'a database with data at migration %i (%s) is brought to the newest, keeps every row, and every book holds',
  async (number) => {
    const database = testDatabase(await emptyDatabase());
    await migrateUpTo(database, number);
    const then = number < subscribedFrom ? ordersOnly : number < billedFrom ? beforeBills : withPayouts;
    const counts = await write(database, then);
    await upgrade({ database, nightDatabase: database });
    for (const [table, count] of Object.entries(counts)) expect([table, await countOf(database, table)]).toEqual([table, count]);
    const results = await verify({ nightDatabase: database });
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

/** The migrations of an earlier version: those that there were. */
async function migrateUpTo(database: Database, number: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-migrations-'));
  for (const one of readMigrations().slice(0, number)) await cp(new URL(one.name, migrationsFolder), join(folder, one.name));
  await migrate(database, pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
}

/** What a database of that time could hold of it: the tables and columns that there were. Gives how many rows each table has. */
async function write(database: Database, all: Rows): Promise<Readonly<Record<string, number>>> {
  const client = await database.connect('unbounded');
  const there = new Map((await tablesOf(client)).map(({ table, columns }) => [table, columns]));
  const counts: Record<string, number> = {};
  for (const [table, columns] of there) {
    const found = all.find((one) => one.table === table);
    if (found === undefined || table === 'schema_migrations') continue;
    const shared = columns.filter((column) => found.columns.includes(column)).join(', ');
    await client.query(`truncate ${table} cascade`);
    const written = await client.query(
      `insert into ${table} (${shared}) select ${shared} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [found.rows],
    );
    // Figures are counted anew where they come from before there were any; the books hold them against the commissions.
    if (table !== 'link_days' && table !== 'store_days') counts[table] = written.rowCount ?? 0;
  }
  await client.end();
  return counts;
}

const countOf = async (database: Database, table: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: bigint }>(`select count(*) as count from ${table}`);
  return Number(rows[0]?.count ?? 0n);
};
