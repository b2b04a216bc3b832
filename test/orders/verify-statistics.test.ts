import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../src/verify.ts';
import { openMany } from '../support/review.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import type { Queryable } from '../../src/platform/database/database.ts';
import { differencesOf } from '../../src/platform/database/differences.ts';
import { sql, type Sql } from '../../src/platform/database/sql.ts';

/** As the server tells it, of what is looked at here. */
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

test('what was filled a moment ago is looked at before whole tables are joined, and what hardly changed is not', async () => {
  await openMany(merchant, 3_000);
  const { database } = merchant;
  const looked = () =>
    database.all<{ relname: string }>(sql`
      select relname from pg_stat_user_tables
      where last_analyze is not null and relname in ('commissions', 'transfers', 'stores') order by 1`);
  // The server counts changes a little after they were made.
  await expect
    .poll(async () => {
      await verify(merchant.service.platform);
      return looked();
    })
    .toEqual([{ relname: 'commissions' }, { relname: 'transfers' }]);
});

test('a question of verification is planned for all that it may find, not for the first few: none is looked for row by row', async () => {
  await openMany(merchant, 3_000);
  const { database } = merchant;
  // As verification asks it, and as it would be planned without an end: what is looked for stands on the far side of a join.
  const question = sql`
    select c.commission_id as what, 'is posted nowhere' as detail from commissions c
    where not exists (select from transfers t where t.store_id = c.store_id and t.source_id = c.commission_id)`;
  const planOf = async (query: Sql): Promise<Plan> => {
    const rows = await database.all<Record<string, ReadonlyArray<{ readonly Plan: Plan }>>>(sql`explain (format json) ${query}`);
    const plan = Object.values(rows[0] ?? {})[0]?.[0]?.Plan;
    if (plan === undefined) expect.fail('the server tells no plan');
    return plan;
  };
  let asked: Sql = question;
  const listening: Queryable = {
    ...database,
    all: (query) => {
      asked = query;
      return database.all(query);
    },
  };
  await differencesOf(listening, question);
  const [whole, first] = [await planOf(question), await planOf(asked)];
  const found = first.Plans?.find((part) => part['Subplan Name'] === 'CTE found');
  expect(first['Node Type']).toBe('Limit');
  expect(found?.['Total Cost']).toBe(whole['Total Cost']);
  expect(found?.['Node Type']).toBe(whole['Node Type']);
});
