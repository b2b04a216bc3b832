import { afterAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { merchantIn, openMerchant, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { sendAgain } from '../support/send-again.ts';
import { startTestServiceOn } from '../support/service.ts';

const orders = 50;
/** One store, as the servers of two of our processes see it. */
const here = await openMerchant();
const there = merchantIn(await startTestServiceOn(here.service.databaseUrl), here.world);
const program = `/stores/${here.world.store.id}/programs/${here.world.program.id}`;
const order_rules = [{ basis_points: 2_000, conditions: { new_customers: true } }, { basis_points: 1_000 }];
expectSuccess(await here.api('POST', `${program}/terms`, { order_rules }));
afterAll(async () => {
  await there.service.stop();
  await here.service.stop();
});

const convert = (merchant: Merchant, body: object): Promise<ApiResponse> => sendAgain(() => merchant.convert(body));

test('of 50 first orders of each of five customers, exactly one earns as that of a new customer', async () => {
  const clicks = await Promise.all(Array.from({ length: 5 * orders }, () => here.click()));
  const order = await here.order({ click_id: null, order_subtotal_cents: 10_000 });
  const replies = await Promise.all(
    clicks.map((click_id, index) =>
      convert(index % 2 === 0 ? here : there, { ...order, order_id: `new ${index}`, click_id, customer_id: `customer ${index % 5}` }),
    ),
  );
  // The repeat of a postback whose response was lost is a duplicate.
  for (const { json } of replies) expect(['recorded', 'duplicate_order']).toContain(json.reason);
  const counted = await here.database.all<{ readonly amount: bigint; readonly count: bigint }>(sql`
    select amount_cents as amount, count(*) as count from commissions where store_id = ${here.storeId}
    group by amount_cents order by amount_cents`);
  expect(counted).toEqual([
    { amount: 1_000n, count: 245n },
    { amount: 2_000n, count: 5n },
  ]);
  expect((await verify(here.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
