import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantAlone, type Json } from '../support/merchant.ts';

const addTerms = (points: number) => merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: points }], notice_days: 7 });
const accept = (version: number) => merchant.api('POST', `${membership}/accept-terms`, { version });
const cancel = (version: number) => merchant.api('POST', `${program}/terms/cancel`, { version });
/** Like a store's queue: a busy service answers 503, and the order is sent again. */
async function report(order: object): Promise<void> {
  for (let sent = 0; sent < 10; sent++) if ((await merchant.convert(order)).status === 200) return;
  throw new Error('the order was not recorded');
}
const announce = async (): Promise<number> => (await addTerms(500)).json.version;

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
const member = (await merchant.api('GET', `${program}/members`)).json.data[0];
const membership = `/creators/${merchant.world.creator.id}/memberships/${member.id}`;
expectSuccess(await addTerms(1_000));

test('an acceptance and a cancellation at the same time come one after the other', async () => {
  for (let round = 0; round < 5; round++) {
    const version = await announce();
    const [accepted, canceled] = await Promise.all([accept(version), cancel(version)]);
    expect(canceled.status).toBe(200);
    expect([200, 409]).toContain(accepted.status);
    const { json } = await merchant.api('GET', `${program}/terms/acceptances`);
    expect(json.acceptances.some((one: Json) => one.version === version)).toBe(accepted.status === 200);
    expect((await merchant.api('GET', `${membership}/next-terms`)).json.announced).toBeNull();
  }
});

test('acceptances at the same time store one fact', async () => {
  const version = await announce();
  const replies = await Promise.all(Array.from({ length: 5 }, () => accept(version)));
  expect(new Set(replies.map(({ json }) => json.announced.accepted_at)).size).toBe(1);
  await cancel(version);
});

test('orders while the creator accepts have one of the two versions, and the books agree', async () => {
  const version = await announce();
  const orders = await Promise.all(Array.from({ length: 20 }, () => merchant.order({ order_subtotal_cents: 10_000 })));
  await Promise.all([accept(version), ...orders.map(report)]);
  const { json: list } = await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?limit=100`);
  for (const { amount_cents: amount, terms_version: applied } of list.data) expect(amount).toBe(applied === version ? 500 : 1_000);
  const late = await merchant.convert(await merchant.order({ order_subtotal_cents: 10_000 }));
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions/${late.json.conversion_id}`);
  expect(json.amount_cents).toBe(500);
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});
