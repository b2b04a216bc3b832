import { afterAll, beforeAll, expect, test } from 'vitest';
import type pg from 'pg';
import { must } from '../../src/platform/must.ts';
import { merchantIn } from '../support/merchant.ts';
import { startTestService, type TestService } from '../support/service.ts';

// What batches ask again and again is planned once, on tables as empty as they are on the first day, and that plan is kept
// while they grow to millions of rows.

let service: TestService;
const plans = new Map<string, string>();
beforeAll(async () => {
  service = await startTestService();
  const shop = merchantIn(service, await service.seed());
  const { status } = await shop.convert(await shop.order());
  must(status === 200, 'a batch asks all of its questions');
  const { pool } = service.platform.database;
  // Whoever kept a statement is one of the pool's connections: all are asked.
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of clients) await explainKept(client);
  for (const client of clients) client.release();
  await shop.database.end();
});
afterAll(() => service.stop());

async function explainKept(client: pg.PoolClient): Promise<void> {
  await client.query(`set plan_cache_mode = force_generic_plan`);
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

test('what batches look up is found by its whole key, however many rows there will be', () => {
  const lookUps = [...plans].filter(([statement]) => statement.includes('lateral'));
  expect(lookUps.length).toBeGreaterThanOrEqual(5);
  for (const [statement, plan] of lookUps) {
    expect(plan, statement).not.toContain('Seq Scan');
    expect(plan, statement).not.toMatch(/Filter: .*wanted\./);
  }
});
