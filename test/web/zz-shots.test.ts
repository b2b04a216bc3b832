import { afterAll, beforeAll, test, vi } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { billerOf } from '../support/billing.ts';
import { openDashboard, type Dashboard } from '../support/dashboard.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';

vi.setConfig({ testTimeout: 300_000 });
let dashboard: Dashboard;
let shop: Merchant;
beforeAll(async () => {
  dashboard = await openDashboard();
  shop = merchantIn(dashboard.service, await dashboard.service.seed());
});
afterAll(() => dashboard.stop());

test('shots', async () => {
  const out = process.env['SHOTS'] ?? '/tmp/shots';
  const biller = billerOf(shop);
  const reviewer = reviewerOf(shop);
  const sales = [];
  for (let i = 0; i < 8; i++) sales.push(await reviewer.sale({ order_subtotal_cents: 30_000 + i * 1_111, order_id: `SO-10${i}` }));
  await shop.convert(await shop.order({ click_id: null }));
  await shop.convert(await shop.order({ currency: 'EUR' }));
  const ids = sales.map(({ commissionId }) => commissionId);
  await reviewer.act('approve', { ids: ids.slice(0, 4) });
  await reviewer.act('hold', { ids: ids.slice(4, 5) });
  await shop.moveClock('31d');
  await biller.run({ minimum_cents: 0 });
  await shop.moveClock('4d');
  const [inv] = await biller.invoices();
  console.log(inv.state);
  await shop.api('POST', `${biller.store}/invoices/${inv.id}/credit-notes`, { commission_ids: [ids[0]], reason: 'Returned after the bill' });
  await shop.moveClock('20d');
  await reviewer.act('approve', { ids: ids.slice(5, 7) });
  await biller.pays('declined');
  await biller.run({ minimum_cents: 0 });
  await shop.moveClock('6d');
  const fresh = await reviewer.sale({ order_subtotal_cents: 51_000 });
  await reviewer.act('approve', { ids: [fresh.commissionId] });
  const today = shop.at().slice(0, 10);
  await shop.database.run(sql`
    insert into store_days (store_id, day, what, slot, count, eligible_cents, commission_cents)
    select ${shop.storeId}::uuid, (${today}::date - g), w, 77, greatest(1, (k * (1 + sin(g / 9.0) * 0.5 + (g * 7919 % 13) / 13.0))::int),
      case when w in ('order','reversal') then (k * 9000 * (1 + sin(g / 9.0) * 0.5 + (g * 7919 % 13) / 13.0))::bigint else 0 end,
      case when w in ('order','approved','paid','reversal') then (k * 900 * (1 + sin(g / 9.0) * 0.5 + (g * 7919 % 11) / 13.0))::bigint else 0 end
    from generate_series(0, 400) g, (values ('click', 140), ('order', 9), ('approved', 6), ('paid', 4), ('reversal', 1), ('bot', 30)) as v (w, k)`);
  for (const [scheme, width] of [['light', 1440], ['dark', 360]] as const) {
    const mara = await dashboard.visitor({ scheme, width });
    await mara.signIn(shop.world.logins.merchant);
    const base = `/stores/${shop.world.store.id}`;
    const shot = async (name: string, path: string) => {
      await mara.open(`${base}${path}`);
      await mara.page.waitForTimeout(400);
      await mara.page.screenshot({ path: `${out}/${name}-${scheme}.png`, fullPage: true });
    };
    await shot('home', '');
    await shot('home-year-funnel', '?days=365&chart=funnel');
    await shot('billing', '/billing');
    const [newest] = await biller.invoices();
    await shot('invoice', `/billing?open=${newest.id}`);
    await shot('statement', `/statement?period=${shop.at(-40 * 86_400_000).slice(0, 7)}`);
    await shot('settings', '/settings');
    await shot('story', `/conversions?open=${ids[1]}`);
    await mara.page.getByRole('dialog').screenshot({ path: `${out}/story-panel-${scheme}.png` });
    console.log(mara.complaints);
    await mara.context.close();
  }
});
