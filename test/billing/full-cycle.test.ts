import { afterAll, expect, test } from 'vitest';
import { anotherBiller, differences, type Biller } from '../support/billing.ts';
import { openMerchantAlone } from '../support/merchant.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());

const fresh = (): Promise<Biller> => anotherBiller(merchant);

test('one run issues, charges, and collects approved commissions past their hold, and reports them to the creator', async () => {
  const biller = await fresh();
  await biller.billable(1_500, 2_500, 0);
  const dry = await biller.run({ dry_run: true });
  expect(dry).toEqual([{ id: null, store_id: biller.merchant.world.store.id, total_cents: 4_000, state: 'issued' }]);
  expect(await biller.states()).toEqual({ approved: 3 });
  const done = await biller.run();
  expect(done).toEqual([
    { id: expect.stringMatching(/^inv_/), store_id: biller.merchant.world.store.id, total_cents: 4_000, state: 'paid' },
  ]);
  expect(await biller.states()).toEqual({ approved: 1, collected: 2 });
  expect(await biller.chargedAmounts()).toEqual([4_000]);
  expect(await biller.outbox()).toEqual([{ kind: 'collected', count: 2, cents: 4_000 }]);
  expect(await biller.run()).toEqual([]);
  expect(await differences(merchant)).toEqual([]);
});
