import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRole } from '../../src/people/team-sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { expectSuccess } from '../support/billing.ts';
import { merchantIn } from '../support/merchant.ts';
import { signInTo } from '../support/operator-payouts.ts';
import { riskWorldOf, type RiskWorld } from '../support/risk.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startFakeStripe, type FakeStripe } from '../support/stripe-server.ts';

/** Two stores of different teams with cards saved at Stripe, and creators who promote them. */
let standIn: FakeStripe;
let service: TestService;
beforeAll(async () => {
  standIn = await startFakeStripe();
  const { host, port, secretKey, webhookSecret } = standIn;
  const stripe = { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API: `${host}:${port}` };
  service = await startTestService({ ROLE: 'web', ...stripe });
});
afterAll(async () => {
  await service.stop();
  await standIn.close();
});

async function fresh(): Promise<RiskWorld> {
  const world = riskWorldOf(merchantIn(service, await service.seed()));
  await world.settings({ enforce: true, reserve_days: 0 });
  expectSuccess(await world.merchant.api('PATCH', `${world.store}/programs/${world.merchant.world.program.id}`, { hold_days: 0 }));
  return world;
}

async function payBy({ merchant, store }: RiskWorld, card: string, way = 'payment-method'): Promise<void> {
  const { setup_id: setupId } = expectSuccess(await merchant.api('POST', `${store}/${way}/setup`)).json;
  const setup = String(standIn.book.find(setupId)?.['setup_intent']);
  standIn.book.change(setup, { status: 'succeeded', payment_method: card });
  expectSuccess(await merchant.api('PUT', `${store}/${way}`, { stripe: { setup_id: setupId } }));
}

const join = async ({ merchant, store }: RiskWorld, creatorId: string): Promise<void> =>
  void expectSuccess(await merchant.api('POST', `${store}/programs/${merchant.world.program.id}/members`, { creator_id: creatorId }));

async function invoiceAll({ merchant, store }: RiskWorld): Promise<readonly number[]> {
  expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
  const run = await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
  return expectSuccess(run).json.invoices.map(({ total_cents: total }: { readonly total_cents: number }) => total);
}

const casesOf = (world: RiskWorld) => world.cases(`rule=same_person&store_id=${world.merchant.world.store.id}`);
const sameCard = [{ what: 'Same payment card as another store of this creator', found: '1 in common', compared: null }];

test('a card that pays for stores of two teams holds the commissions of a creator that both stores pay', async () => {
  const [world, other] = [await fresh(), await fresh()];
  await payBy(world, 'pm_ok_ann');
  await payBy(other, 'pm_late_ann', 'backup-payment-method');
  const ring = await world.newCreator('ring@creators.example');
  await join(other, ring.id);
  const honest = await world.newCreator('honest@creators.example');
  await world.sold([50_000], ring.url);
  await world.sold([30_000], honest.url);
  expect(await invoiceAll(world)).toEqual([3_000]);
  expect(await casesOf(world)).toMatchObject([{ creator_id: ring.id, enforced: true, evidence: sameCard }]);
  const shown = await world.merchant.api('GET', '/audit-log?limit=100');
  expect(shown.text).not.toContain('card_of_ann');
});

test('counts replaced cards, and cards of the creator’s own store', async () => {
  const [world, other] = [await fresh(), await fresh()];
  await payBy(world, 'pm_ok_bob');
  await payBy(other, 'pm_ok_bob');
  await payBy(other, 'pm_ok_eve');
  const me = await signInTo(service.url, other.merchant.world.logins.merchant);
  const { id } = expectSuccess(await me('POST', '/creators/me', {})).json;
  await join(world, id);
  const link = expectSuccess(
    await world.merchant.api('POST', `${world.store}/programs/${world.merchant.world.program.id}/links`, { creator_id: id }),
  );
  await world.sold([50_000], link.json.url);
  expect(await invoiceAll(world)).toEqual([]);
  expect(await casesOf(world)).toMatchObject([{ creator_id: id, evidence: sameCard }]);
});

test('stores with other cards, and two stores of one team with the same card, hold nothing', async () => {
  const [world, other] = [await fresh(), await fresh()];
  await payBy(world, 'pm_ok_cid');
  await payBy(other, 'pm_ok_dan');
  const shared = await world.newCreator('shared@creators.example');
  await join(other, shared.id);
  await world.sold([50_000], shared.url);
  expect(await invoiceAll(world)).toEqual([5_000]);

  const owner = await signInTo(service.url, world.merchant.world.logins.merchant);
  const userId = readPublicId('user', (await owner('GET', '/session')).json.actor);
  invariant(userId, 'a session has a user');
  await insertRole(world.merchant.database, { userId, storeId: other.merchant.storeId, role: 'owner', now: new Date() });
  await payBy(other, 'pm_ok_cid');
  await world.sold([40_000], shared.url);
  expect(await invoiceAll(world)).toEqual([4_000]);
  expect(await casesOf(world)).toEqual([]);
});
