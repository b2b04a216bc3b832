import { afterAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { expectRefused } from '../../support/expect-response.ts';
import { openMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** A database that is away has a file of its own: test/postbacks/database-unavailable.test.ts. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

test('answers 503 and stores nothing if terms are missing; the same body succeeds later [Errors, rule 2]', async () => {
  const order = await merchant.order();
  // Deletes the terms with SQL, because no operation does: simulates a replica that has not received them yet.
  await merchant.database.run(sql`create table terms_aside as select * from terms where store_id = ${merchant.storeId}`);
  await merchant.database.run(sql`delete from terms where store_id = ${merchant.storeId}`);
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.convert(order), 503, 'pricing_history_unavailable', 'backoff');
  });
  expect(rows).toEqual({});
  await merchant.database.run(sql`insert into terms select * from terms_aside`);
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
});
