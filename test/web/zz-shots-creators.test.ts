import { afterAll, beforeAll, test, vi } from 'vitest';
import { openDashboard, type Dashboard } from '../support/dashboard.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { creatorIn, joined } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
vi.setConfig({ testTimeout: 120_000 });
let dashboard: Dashboard; let shop: Merchant;
beforeAll(async () => { dashboard = await openDashboard(); shop = merchantIn(dashboard.service, await dashboard.service.seed()); });
afterAll(() => dashboard.stop());
test('shots', async () => {
  const store = `/stores/${shop.world.store.id}`;
  const desk = reviewerOf(shop);
  const r = [await desk.sale({ order_subtotal_cents: 120_000 }), await desk.sale()];
  await desk.sale({ order_subtotal_cents: 30_000 });
  await desk.words('reject', r.map((x) => x.commissionId), { reason: 'Looks like an own order' });
  await joined(shop, await creatorIn(dashboard.service, 'Olga Older'));
  for (const n of ['Nora Newcomer', 'Maximiliane von Hohenstein-Wittelsbach']) await (await creatorIn(dashboard.service, n)).ask('POST', `/programs/${shop.world.program.id}/applications`, {});
  for (const x of r) await shop.api('POST', `/creators/${shop.world.creator.id}/disputes`, { store_id: shop.world.store.id, commission_id: x.commissionId, text: 'A friend of mine bought it, and she paid with her own card from her own flat.\nPlease look again: the address is not mine.' });
  const open = (await shop.api('GET', `${store}/disputes`)).json.data;
  await shop.api('POST', `${store}/disputes/${open[0].id}/decline`, { note: 'It went to your own address.' });
  for (const [scheme, width] of [['light', 1440], ['dark', 360]] as const) {
    const v = await dashboard.visitor({ scheme, width });
    await v.signIn(shop.world.logins.merchant);
    for (const p of ['creators', 'disputes', 'mails']) {
      await v.open(`${store}/${p}`);
      await v.page.screenshot({ path: `/tmp/cr-shots/${p}-${width}.png`, fullPage: true });
    }
    await v.open(store);
    await v.page.screenshot({ path: `/tmp/cr-shots/home-${width}.png` });
    await v.open(`${store}/disputes?state=open`);
    await v.page.getByRole('button', { name: /^Decline/ }).click();
    await v.page.waitForTimeout(500);
    await v.page.screenshot({ path: `/tmp/cr-shots/decline-${width}.png` });
  }
});
