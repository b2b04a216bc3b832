import type { Database } from '../../src/db/database.ts';
import { sql, type Sql, texts } from '../../src/db/sql.ts';
import { secondMs } from '../../src/core/time.ts';

/** The expected writes of a test: the number of new rows by table, and of changed rows. A table that is not named must be unchanged. */
export type Written = Readonly<Record<string, string>>;

/** Daily counts of commissions; visits are counted asynchronously. */
const counted = ['order', 'invoice', 'lead', 'bonus', 'reversal', 'approved', 'paid'];

/**
 * Every table that a postback may write, and related ones that it must not write: notifications to creators, and review decisions that a
 * store's server receives. Click processing and key usage are excluded, because both are written asynchronously.
 */
const tables: Readonly<Record<string, Sql>> = {
  orders: sql`select t::text as row from orders t`,
  commissions: sql`select t::text as row from commissions t`,
  transfers: sql`select t::text as row from transfers t`,
  // Sums are split over slots, and any slot may be written.
  balances: sql`
    select (store_id, account, creator_id, sum(debit_cents), sum(credit_cents))::text as row from balances
    group by store_id, account, creator_id`,
  click_claims: sql`select t::text as row from click_claims t`,
  refunds: sql`select t::text as row from refunds t`,
  credit_notes: sql`select t::text as row from credit_notes t`,
  order_reversals: sql`select t::text as row from order_reversals t`,
  early_reversals: sql`select t::text as row from early_reversals t`,
  leads: sql`select t::text as row from leads t`,
  lead_reversals: sql`select t::text as row from lead_reversals t`,
  early_lead_reversals: sql`select t::text as row from early_lead_reversals t`,
  test_orders: sql`select t::text as row from test_orders t`,
  subscription_events: sql`select t::text as row from subscription_events t`,
  relationships: sql`select t::text as row from relationships t`,
  relationship_invoices: sql`select t::text as row from relationship_invoices t`,
  early_invoice_reversals: sql`select t::text as row from early_invoice_reversals t`,
  postback_log: sql`select t::text as row from postback_log t`,
  // Expands counts to one row per counted event, so that earlier counts of the same day do not matter.
  link_days: sql`
    select (store_id, link_number, day, what, one)::text as row from (
      select store_id, link_number, day, what, sum(count)::int as count from link_days where what = any(${texts(counted)})
      group by store_id, link_number, day, what) as sums, generate_series(1, count) as one`,
  store_days: sql`
    select (store_id, day, what, one)::text as row from (
      select store_id, day, what, sum(count)::int as count from store_days where what = any(${texts(counted)})
      group by store_id, day, what) as sums, generate_series(1, count) as one`,
  creator_outbox: sql`select t::text as row from creator_outbox t`,
  store_events: sql`select t::text as row from store_events t`,
  stores: sql`select t::text as row from stores t`,
  programs: sql`select t::text as row from programs t`,
};

type Snapshot = ReadonlyMap<string, ReadonlySet<string>>;

async function snapshot(database: Database): Promise<Snapshot> {
  const taken = new Map<string, ReadonlySet<string>>();
  for (const [table, query] of Object.entries(tables)) {
    const rows = await database.all<{ row: string }>(query);
    taken.set(table, new Set(rows.map(({ row }) => row)));
  }
  return taken;
}

/** Runs the work and returns what it wrote: `{ orders: '1 new', balances: '2 changed', … }`. */
export async function rowsWritten(database: Database, work: () => Promise<unknown>): Promise<Written> {
  const before = await snapshot(database);
  await work();
  const after = await snapshot(database);
  const changes = [...after].flatMap(([table, rows]) => {
    const then = before.get(table) ?? new Set();
    const appeared = [...rows].filter((row) => !then.has(row)).length;
    const gone = [...then].filter((row) => !rows.has(row)).length;
    const words = [
      ...(appeared > gone ? [`${appeared - gone} new`] : []),
      ...(Math.min(appeared, gone) > 0 ? [`${Math.min(appeared, gone)} changed`] : []),
      ...(gone > appeared ? [`${gone - appeared} gone`] : []),
    ];
    return words.length === 0 ? [] : [[table, words.join(', ')] as const];
  });
  return Object.fromEntries(changes);
}

/** The tables that contain this word in any row, by name. */
export async function tablesWith(database: Database, word: string): Promise<readonly string[]> {
  const all = await database.all<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`);
  const found = [];
  for (const { name } of all) {
    const { rowCount } = await database.pool.query(`select 1 from ${name} t where position($1 in t::text) > 0 limit 1`, [word]);
    if (rowCount === 1) found.push(name);
  }
  return found;
}

/**
 * A time column moved by so many milliseconds. Citus rejects `timestamptz + interval` in an update, because it depends on the time zone of
 * the session.
 */
export const movedBy = (column: Sql, ms: number): Sql =>
  sql`(${column} at time zone 'utc' + make_interval(secs => ${ms / secondMs}::float)) at time zone 'utc'`;
