import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../src/verify.ts';
import { openMany } from '../support/review.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { sql } from '../../src/platform/database/sql.ts';

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
