import type { Database } from '../../src/platform/database/database.ts';
import { sql, type Sql } from '../../src/platform/database/sql.ts';

/** What a test says was written: how many new rows by table, and how many old ones changed. A table that is not named was not touched. */
export type Written = Readonly<Record<string, string>>;

/** What is counted by day of commissions: arrivals come in their own time. */
const counted = ['order', 'invoice', 'reversal', 'approved', 'paid'];

/**
 * Every table that a postback may write, and those beside them that it must not: what is told to creators, and decisions that a shop's
 * server listens to. Not looked at is what becomes of clicks, and how often keys were used: both are written in their own time.
 */
const tables: Readonly<Record<string, Sql>> = {
  orders: sql`select t::text as row from orders t`,
  commissions: sql`select t::text as row from commissions t`,
  transfers: sql`select t::text as row from transfers t`,
  // Sums stand in slots, and which one is written is nobody's business.
  balances: sql`
    select (store_id, account, creator_id, sum(debit_cents), sum(credit_cents))::text as row from balances
    group by store_id, account, creator_id`,
  click_claims: sql`select t::text as row from click_claims t`,
  order_reversals: sql`select t::text as row from order_reversals t`,
  early_reversals: sql`select t::text as row from early_reversals t`,
  test_orders: sql`select t::text as row from test_orders t`,
  subscription_events: sql`select t::text as row from subscription_events t`,
  relationships: sql`select t::text as row from relationships t`,
  relationship_invoices: sql`select t::text as row from relationship_invoices t`,
  early_invoice_reversals: sql`select t::text as row from early_invoice_reversals t`,
  postback_log: sql`select t::text as row from postback_log t`,
  // One row for each that was counted, so that nobody has to know whether another was counted on that day before.
  link_days: sql`
    select (store_id, link_number, day, what, one)::text as row from (
      select store_id, link_number, day, what, sum(count)::int as count from link_days where what = any(${counted}::text[])
      group by store_id, link_number, day, what) as sums, generate_series(1, count) as one`,
  store_days: sql`
    select (store_id, day, what, one)::text as row from (
      select store_id, day, what, sum(count)::int as count from store_days where what = any(${counted}::text[])
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

/** Runs the work and tells what it wrote: `{ orders: '1 new', balances: '2 changed', … }`. */
export async function written(database: Database, work: () => Promise<unknown>): Promise<Written> {
  const before = await snapshot(database);
  await work();
  const after = await snapshot(database);
  const told = [...after].flatMap(([table, rows]) => {
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
  return Object.fromEntries(told);
}
