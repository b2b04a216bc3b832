import type { Locator } from 'playwright-core';
import { afterAll, expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openDashboard } from '../support/dashboard.ts';
import { merchantIn } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';

vi.setConfig({ testTimeout: 240_000 });

const orders = 70;
/** Each of these decisions is a rejection, with a reason. */
const rejectedEvery = 10;

const idOf = (number: number) => `queue-${String(number).padStart(3, '0')}`;
const row = (id: string): Locator => mara.page.getByRole('row').filter({ hasText: id });
const focusedId = async (): Promise<string> => {
  const text = await mara.page.evaluate<string>('document.activeElement.matches("tr") ? document.activeElement.innerText : ""');
  return /queue-\d+/.exec(text)?.[0] ?? '';
};

async function states(): Promise<Readonly<Record<string, number>>> {
  const rows = await merchant.database.all<{ state: string; count: bigint }>(sql`
    select state, count(*) as count from commissions where store_id = ${merchant.storeId} group by 1`);
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const merchant = merchantIn(dashboard.service, await dashboard.service.seed());
for (let number = 1; number <= orders; number++) await reviewerOf(merchant).sale({ order_id: idOf(number) });
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

test('70 conversions are reviewed one after the other by keyboard alone, over more than one page of the list', async () => {
  const { keyboard } = mara.page;
  await mara.open(`/stores/${merchant.world.store.id}/conversions?state=pending`);
  await mara.focused('tagName === "H1"');
  await keyboard.press('j');
  const decided = new Set<string>();
  for (let number = 1; number <= orders; number++) {
    // The row that replaced the decided one has the focus, so that no key is needed to get there.
    await expect.poll(focusedId).toMatch(/^queue-/);
    const id = await focusedId();
    if (number % rejectedEvery === 0) {
      await keyboard.press('r');
      await expect.poll(() => mara.page.evaluate('document.activeElement.name')).toBe('reason');
      await keyboard.type('Returned');
      await keyboard.press('Enter');
    } else await keyboard.press('a');
    await row(id).waitFor({ state: 'detached' });
    decided.add(id);
  }
  expect(decided.size).toBe(orders);
  expect(await states()).toEqual({ approved: 63, rejected: 7 });
  expect(mara.complaints).toEqual([]);
});
