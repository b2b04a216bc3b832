import { beforeAll, afterAll, expect, test } from 'vitest';
import { openMerchant, type Merchant } from '../../support/merchant.ts';
import { written } from '../../support/rows.ts';
let m: Merchant;
beforeAll(async () => { m = await openMerchant(); });
afterAll(async () => { await m.service.stop(); });
test('x', async () => {
  const order = await m.order();
  const t = performance.now();
  const w = await written(m.database, async () => { const c = await m.convert(order); console.log(c.status, c.text, Object.fromEntries(c.headers)); });
  console.log(w, performance.now() - t);
  console.log(await m.commissionOf(order.order_id), await m.lineOf(order.order_id));
  const t2 = performance.now(); await m.service.seed(); console.log('seed', performance.now() - t2);
});
