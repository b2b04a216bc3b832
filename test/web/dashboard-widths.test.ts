import { afterAll, expect, test, vi } from 'vitest';
import type { Visitor } from '../support/dashboard.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { reviewerOf } from '../support/review.ts';
import { expectSuccess } from '../support/billing.ts';

vi.setConfig({ testTimeout: 120_000 });

// Names and terms are as long as those of real stores, and the windows as narrow as tables beside the menu can be.
const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const { world } = merchant;
const store = `/stores/${world.store.id}`;
const program = `${store}/programs/${world.program.id}`;
const widths = [1366, 1024, 1200, 1280];

const rules = {
  order_rules: [{ basis_points: 1_200, conditions: { min_order_cents: 7_500, new_customers: true } }, { basis_points: 1_000 }],
  subscription_rules: [
    { product_id: 'coffee-club', price_id: 'coffee-club-monthly', basis_points: 2_000, max_invoices: 12, max_months: null },
  ],
  codes: 'when_no_click',
  returning: { days: 120, orders: 5, new_click: 'last_click' },
  goals: [{ orders: 12, period: 'month', amount_cents: 2_500 }],
};
expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, notice_days: 7 }));
expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, notice_days: 7, goals: [] }));
expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'KETTLES10', creator_id: world.creator.id }));
const bonus = { creator_id: world.creator.id, amount_cents: 1_500, reason: 'An order whose link was lost in our newsletter of November' };
expectSuccess(await merchant.api('POST', `${program}/bonuses`, bonus));
await reviewerOf(merchant).sale({ order_subtotal_cents: 1_234_500 });

/** What is wider than the window, or than the section around it. */
const wideParts = ({ page }: Visitor): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const parts = [...document.querySelectorAll('main :is(table, p)')].filter((part) => part.getClientRects().length > 0);
    const rightOf = (part) => part.getBoundingClientRect().right;
    const wide = parts.filter((part) => rightOf(part) > rightOf(part.closest('section') ?? document.documentElement) + 1);
    const page = document.documentElement.scrollWidth > innerWidth ? ['page'] : [];
    return [...page, ...wide.map((part) => part.caption?.innerText ?? part.innerText)];
  })()`);

async function expectFit(visitor: Visitor, path: string): Promise<void> {
  await visitor.page.setViewportSize({ width: widths[0] ?? 0, height: 900 });
  await visitor.open(path);
  for (const width of widths) {
    await visitor.page.setViewportSize({ width, height: 900 });
    await visitor.settled();
    await expect.poll(() => wideParts(visitor), { message: `${path} at ${width} pixels` }).toEqual([]);
  }
}

test('tables and charts of a merchant fit beside the menu, also after the window becomes narrower', async () => {
  const visitor = await dashboard.visitor();
  await visitor.signIn(world.logins.merchant);
  for (const path of [`${store}/conversions`, program, `${store}/creators/${world.creator.id}`, `${store}/codes`])
    await expectFit(visitor, path);
});

test.each(['de', 'fr', 'pt-BR'])('tables of a creator in %s fit beside the menu, whose words are not broken', async (language) => {
  const visitor = await dashboard.visitor();
  await visitor.signIn(world.logins.creator);
  await visitor.page.evaluate(`localStorage.setItem('language', '${language}'); localStorage.setItem('language-chosen', 'yes')`);
  await expectFit(visitor, '/creator/sales');
  await visitor.page.locator('aside a[href="/notifications"] span').nth(1).waitFor();
  const lines: number = await visitor.page.evaluate(`(() => {
    const label = document.querySelector('aside a[href="/notifications"] span');
    return Math.round(label.getBoundingClientRect().height / parseFloat(getComputedStyle(label).lineHeight));
  })()`);
  expect(lines).toBe(1);
});
