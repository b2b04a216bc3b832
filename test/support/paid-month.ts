import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from './billing.ts';
import { openMerchant, type Merchant } from './merchant.ts';
import { expectStatementsToAgree, moveToNextMonth } from './statements.ts';

type SpringMerchant = { readonly merchant: Merchant; readonly store: string; readonly program: string };

/** A merchant on March 5, with a fee of 5% on invoices of any amount. Its service stops after the tests of the file. */
export async function openMerchantInSpring(): Promise<SpringMerchant> {
  const merchant = await openMerchant();
  afterAll(() => merchant.service.stop());
  await merchant.moveToSpring();
  await merchant.api('PUT', '/billing-settings', { fee_basis_points: 500, minimum_cents: 0, early_cents: 100_000_000 });
  const store = `/stores/${merchant.world.store.id}`;
  return { merchant, store, program: `${store}/programs/${merchant.world.program.id}` };
}

/** Ends the refund holds, and charges the store for what is approved. */
export async function chargeStore({ api, moveClock, world }: Merchant): Promise<void> {
  await moveClock('31d');
  await api('PUT', `/stores/${world.store.id}/payment-method`, { sandbox: 'ok' });
  expectSuccess(await api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 }));
}

/** Charges the store, and pays the creators by the end of the month. Returns the month. */
export async function payMonth(merchant: Merchant): Promise<string> {
  await chargeStore(merchant);
  return moveToNextMonth(merchant);
}

/** Registers two tests at the end of a scenario: its statements and its books agree, and the creator gets the sum of these amounts. */
export function testStatementsAndBooks(merchant: Merchant, month: string, earned: readonly number[]): void {
  test('page, CSV, PDF, API, and ledger of the month agree to the cent, for the store and for the creator', async () => {
    const { creator } = await expectStatementsToAgree(merchant, month);
    const { available_cents: available, paid_cents: paid, in_payout_cents: inPayout } = creator.closing;
    expect(available + paid + inPayout).toBe(earned.reduce((sum, amount) => sum + amount, 0));
  });

  test('the books agree', async () => {
    expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
  });
}
