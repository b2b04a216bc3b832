import { isCluster } from '../support/database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type pg from 'pg';
import { invariant } from '../../src/core/invariant.ts';
import { merchantIn } from '../support/merchant.ts';
import { startTestService, type TestService } from '../support/service.ts';

// Batches prepare their statements once, while the tables are empty or hold the orders of the first seconds,
// and keep those plans while the tables grow to millions of rows.

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  const merchant = merchantIn(service, await service.seed());
  const { status } = await merchant.convert(await merchant.order());
  invariant(status === 200, 'the batch runs all of its queries');
  await merchant.database.pool.query('insert into early_reversals select store_id, order_hash, recorded_at from orders');
  await merchant.database.end();
});
afterEach(() => service.stop());

/** The plan of each statement that any connection of the pool has prepared, by its text. */
async function plansNow(): Promise<ReadonlyMap<string, string>> {
  const { pool } = service.platform.database;
  const plans = new Map<string, string>();
  // Takes every connection of the pool, and waits for busy ones.
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  for (const client of clients) await explainKept(client, plans);
  for (const client of clients) client.release();
  return plans;
}

async function explainKept(client: pg.PoolClient, plans: Map<string, string>): Promise<void> {
  await client.query('discard plans');
  await client.query('set plan_cache_mode = force_generic_plan');
  const { rows: kept } = await client.query<{ name: string; statement: string; parameters: number }>(
    'select name, statement, cardinality(parameter_types) as parameters from pg_prepared_statements',
  );
  for (const { name, statement, parameters } of kept) {
    const nulls = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute ${name}${nulls}`);
    plans.set(statement, rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  await client.query('reset plan_cache_mode');
}

/** The key column of each table, and an expression that makes it different for each row. */
const keyOf = {
  orders: ['order_hash', `sha256(convert_to(place::text || now()::text, 'UTF8'))`],
  click_claims: ['click_id', 'gen_random_uuid()'],
  early_reversals: ['order_hash', `sha256(convert_to(place::text || now()::text, 'UTF8'))`],
  creators: ['creator_id', 'gen_random_uuid()'],
  links: ['link_number', '(random() * 1e18)::bigint'],
  terms: ['version', '(select max(version) from terms) + place'],
} as const;

/** Adds this many rows of the same store. The server does not know of them, because it analyzes a table a minute after it grew. */
async function grow(orders: number): Promise<void> {
  const { pool } = service.platform.database;
  for (const [table, [key, value]] of Object.entries(keyOf)) {
    const { rows } = await pool.query<{ name: string }>(
      `select attname as name from pg_attribute
       where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    );
    const names = rows.map(({ name }) => name);
    const values = names.map((name) => (name === key ? value : name));
    const from = `(select * from ${table} limit 1) as one, generate_series(1, ${orders}) as place`;
    const { rowCount } = await pool.query(`insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${from}`);
    invariant(rowCount === orders, `${table} has grown`);
  }
}

test.skipIf(isCluster).each([
  ['has not looked at them', async () => {}],
  ['has looked at them', async () => void (await service.platform.database.pool.query('analyze'))],
])('batch look-ups use the whole key, however many rows there were when the server, which %s, planned them', async (_how, look) => {
  const violations: string[] = [];
  for (let orders = 1; orders < 5_000; orders += Math.ceil(orders / 4)) {
    await look();
    const lookUps = [...(await plansNow())].filter(([statement]) => /^\s*select .*(any\(|lateral)/s.test(statement));
    expect(lookUps.length).toBeGreaterThanOrEqual(5);
    for (const [statement, plan] of lookUps) {
      const isByItsKey =
        !plan.includes('Seq Scan') && /Index Cond: .*(= ANY|wanted\.)/.test(plan) && !/Filter: .*(= ANY|wanted\.)/.test(plan);
      if (!isByItsKey) violations.push(`with ${orders} orders: ${statement}\n${plan}`);
    }
    await grow(Math.ceil(orders / 4));
  }
  expect(violations).toEqual([]);
});
