import { afterEach, beforeEach, expect, test } from 'vitest';
import type pg from 'pg';
import { must } from '../../src/platform/must.ts';
import { merchantIn } from '../support/merchant.ts';
import { startTestService, type TestService } from '../support/service.ts';

// What batches ask again and again is planned once, while the tables are as empty as on the first day or hold the orders of its first
// seconds, and that plan is kept while they grow to millions of rows.

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  const shop = merchantIn(service, await service.seed());
  const { status } = await shop.convert(await shop.order());
  must(status === 200, 'a batch asks all of its questions');
  await shop.database.pool.query('insert into early_reversals select store_id, order_hash, recorded_at from orders');
  await shop.database.end();
});
afterEach(() => service.stop());

/** By its text, how each statement would be planned that any connection of the pool has kept. */
async function plansNow(): Promise<ReadonlyMap<string, string>> {
  const { pool } = service.platform.database;
  const plans = new Map<string, string>();
  // So many as there may be: one that is at work just now is waited for.
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

/** What is looked up, and how its key comes to be another for each row. */
const keyOf = {
  orders: ['order_hash', `sha256(convert_to(place::text || now()::text, 'UTF8'))`],
  click_claims: ['click_id', 'gen_random_uuid()'],
  early_reversals: ['order_hash', `sha256(convert_to(place::text || now()::text, 'UTF8'))`],
  creators: ['creator_id', 'gen_random_uuid()'],
  links: ['link_number', '(random() * 1e18)::bigint'],
  terms: ['version', '(select max(version) from terms) + place'],
} as const;

/** As many more rows of the same store, of which the server has not heard: it looks at a table a minute after it grew. */
async function grow(orders: number): Promise<void> {
  const { pool } = service.platform.database;
  for (const [table, [key, value]] of Object.entries(keyOf)) {
    const { rows } = await pool.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped order by attnum`,
    );
    const values = rows.map(({ name }) => (name === key ? value : name));
    const from = `(select * from ${table} limit 1) as one, generate_series(1, ${orders}) as place`;
    const { rowCount } = await pool.query(`insert into ${table} select ${values.join(', ')} from ${from}`);
    must(rowCount === orders, `${table} has grown`);
  }
}

test.each([
  ['has not looked at them', async () => {}],
  ['has looked at them', async () => void (await service.platform.database.pool.query('analyze'))],
])(
  'what batches look up is found by its whole key, however many rows there were when the server, which %s, planned it',
  async (_how, look) => {
    const faults: string[] = [];
    for (let orders = 1; orders < 5_000; orders += Math.ceil(orders / 4)) {
      await look();
      const lookUps = [...(await plansNow())].filter(([statement]) => statement.includes('lateral'));
      expect(lookUps.length).toBeGreaterThanOrEqual(5);
      for (const [statement, plan] of lookUps) {
        const isByItsKey = !plan.includes('Seq Scan') && !/Filter: .*wanted\./.test(plan);
        if (!isByItsKey) faults.push(`with ${orders} orders: ${statement}\n${plan}`);
      }
      await grow(Math.ceil(orders / 4));
    }
    expect(faults).toEqual([]);
  },
);
