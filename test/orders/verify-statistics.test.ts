import { isCluster } from '../support/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { openMany } from '../support/review.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import type { Queryable } from '../../src/db/database.ts';
import { findDifferences } from '../../src/db/differences.ts';
import { sql, type Sql } from '../../src/db/sql.ts';

/** The part of a query plan that these tests read. */
type Plan = {
  readonly 'Node Type': string;
  readonly 'Total Cost': number;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Plan[];
};

let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
});
afterAll(() => merchant.service.stop());

test.skipIf(isCluster)(
  'a table that was just filled is analyzed before whole tables are joined, and one with few changes is not',
  async () => {
    await openMany(merchant, 3_000);
    const { database } = merchant;
    const looked = () =>
      database.all<{ relname: string }>(sql`
      select relname from pg_stat_user_tables
      where coalesce(last_analyze, last_autoanalyze) is not null and relname in ('commissions', 'transfers', 'stores') order by 1`);
    // The server updates its change counters with a delay, and may analyze a table itself before that.
    await expect
      .poll(async () => {
        await verify(merchant.service.platform);
        return looked();
      })
      .toEqual([{ relname: 'commissions' }, { relname: 'transfers' }]);
  },
);

test.skipIf(isCluster)(
  'a verification query is planned for all rows that it may find, not for the first few, so it never searches row by row',
  async () => {
    await openMany(merchant, 3_000);
    const { database } = merchant;
    // A verification query, whose plan without a limit is the expected one: the missing row is on the other side of a join.
    const question = sql`
    select c.commission_id as what, 'is posted nowhere' as detail from commissions c
    where not exists (select from transfers t where t.store_id = c.store_id and t.source_id = c.commission_id)`;
    const planOf = async (query: Sql): Promise<Plan> => {
      const rows = await database.all<Record<string, ReadonlyArray<{ readonly Plan: Plan }>>>(sql`explain (format json) ${query}`);
      const plan = Object.values(rows[0] ?? {})[0]?.[0]?.Plan;
      if (plan === undefined) expect.fail('the server returned no plan');
      return plan;
    };
    let explainedQuery: Sql = question;
    const listening: Queryable = {
      ...database,
      all: (query) => {
        explainedQuery = query;
        return database.all(query);
      },
    };
    await findDifferences(listening, question);
    const [whole, first] = [await planOf(question), await planOf(explainedQuery)];
    const found = first.Plans?.find((part) => part['Subplan Name'] === 'CTE found');
    expect(first['Node Type']).toBe('Limit');
    expect(found?.['Total Cost']).toBe(whole['Total Cost']);
    expect(found?.['Node Type']).toBe(whole['Node Type']);
  },
);
