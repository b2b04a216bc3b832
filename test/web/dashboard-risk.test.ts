import { afterAll, expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { merchantIn } from '../support/merchant.ts';
import { riskWorldOf } from '../support/risk.ts';
import { axeViolations } from '../support/axe-violations.ts';

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const risk = riskWorldOf(merchantIn(dashboard.service, await dashboard.service.seed()));
await risk.collected([50_000]);
const operator = await dashboard.visitor();
await operator.signIn(risk.merchant.world.logins.operator);

test('an operator books a refund at the provider as a loss, and invoices the store again for the rest of it', async () => {
  const { page } = operator;
  await risk.report('charge_refunded', { amount: 2_000 });
  await operator.open('/operator/risk');
  await decide('Book as loss', 'Support refunded a part.');
  await page.getByText('Booked as a loss: 20.00 USD').waitFor();
  expect(await axeViolations(operator)).toEqual([]);
  await risk.report('charge_refunded', { amount: 5_000 });
  await operator.open('/operator/risk?state=open');
  await decide('Invoice again', 'The rest was refunded by mistake.');
  await page.getByText('Invoiced again: 50.00 USD').waitFor();
  expect(await risk.differences()).toEqual([]);

  async function decide(button: string, reason: string): Promise<void> {
    await page.getByRole('button', { name: 'Open the case: Refund at the payment provider' }).click();
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: button, exact: true }).click();
  }
});
