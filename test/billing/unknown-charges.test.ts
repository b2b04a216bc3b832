import { afterAll, expect, test } from 'vitest';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { anotherBiller, type Biller } from '../support/billing.ts';
import { openMerchantAlone } from '../support/merchant.ts';

/** Charges whose outcome the provider did not answer. */
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
await merchant.moveToNoon();

const fresh = (): Promise<Biller> => anotherBiller(merchant);

test('a charge without an answer is unknown, never failed, and is charged once', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('timeout_then_ok');
  await biller.billable(3_000);
  expect(await biller.run()).toMatchObject([{ state: 'unknown' }]);
  expect(await biller.states()).toEqual({ billed: 1 });
  await biller.merchant.moveClock('7h');
  expect((await biller.invoices()).map(({ state }) => state)).toEqual(['paid']);
  expect(await biller.chargedAmounts()).toEqual([3_000]);
});

test('rejects "never made" while the key of a charge may be sent again; afterwards it is accepted and charged once more', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('timeout_not_done');
  await biller.billable(3_000);
  expect(await biller.run()).toMatchObject([{ state: 'unknown' }]);
  const { api, world } = biller.merchant;
  const list = async (query = '') =>
    (await api('GET', `/charges${query}`)).json.data.filter(({ store_id: store }: { store_id: string }) => store === world.store.id);
  const [charge] = await list('?state=unknown');
  expect(charge).toMatchObject({ state: 'unknown', amount_cents: 3_000, provider: 'sandbox' });
  expect(await list('?state=pending')).toEqual([]);
  const settle = (outcome: string) =>
    api('POST', `${biller.store}/charges/${charge.id}/settle`, { outcome, note: 'it is not in the list of the provider' });
  const early = await settle('never_made');
  expect(early).toMatchObject({ status: 409, json: { reason: 'conflict' } });
  expect(early.json.message).toContain(charge.surely_never_made_at);
  expect(await list()).toMatchObject([{ id: charge.id, state: 'unknown' }]);
  // No job runs a look-up, so a person settles the charge once its absence from the list is proof.
  const { clock, database } = biller.merchant.service.platform;
  const later = Date.parse(charge.surely_never_made_at) - clock.now().getTime();
  await moveSandboxClock(database, clock, new Date(clock.now().getTime() + later + 1));
  expect((await settle('never_made')).status).toBe(200);
  expect(await list()).toEqual([]);
});
