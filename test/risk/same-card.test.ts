import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRole } from '../../src/people/team-sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { expectSuccess } from '../support/billing.ts';
import { merchantIn } from '../support/merchant.ts';
import { signInTo } from '../support/operator-payouts.ts';
import { riskWorldOf, type RiskWorld } from '../support/risk.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startFakeStripe, type FakeStripe } from '../support/stripe-stand-in.ts';

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
  const desk = riskWorldOf(merchantIn(service, await service.seed()));
  await desk.settings({ enforce: true, reserve_days: 0 });
  expectSuccess(await desk.merchant.api('PATCH', `${desk.store}/programs/${desk.merchant.world.program.id}`, { hold_days: 0 }));
  return desk;
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

const casesOf = (desk: RiskWorld) => desk.cases(`rule=same_person&store_id=${desk.merchant.world.store.id}`);
const sameCard = [{ what: 'Same payment card as another store of this creator', found: '1 in common', compared: null }];

test('a card that pays for stores of two teams holds the commissions of a creator that both stores pay', async () => {
  const [desk, other] = [await fresh(), await fresh()];
  await payBy(desk, 'pm_ok_ann');
  await payBy(other, 'pm_late_ann', 'backup-payment-method');
  const ring = await desk.newCreator('ring@creators.example');
  await join(other, ring.id);
  const honest = await desk.newCreator('honest@creators.example');
  await desk.sold([50_000], ring.url);
  await desk.sold([30_000], honest.url);
  expect(await invoiceAll(desk)).toEqual([3_000]);
  expect(await casesOf(desk)).toMatchObject([{ creator_id: ring.id, enforced: true, evidence: sameCard }]);
  const shown = await desk.merchant.api('GET', '/audit-log?limit=100');
  expect(shown.text).not.toContain('card_of_ann');
});

test('counts replaced cards, and cards of the creator’s own store', async () => {
  const [desk, other] = [await fresh(), await fresh()];
  await payBy(desk, 'pm_ok_bob');
  await payBy(other, 'pm_ok_bob');
  await payBy(other, 'pm_ok_eve');
  const me = await signInTo(service.url, other.merchant.world.logins.merchant);
  const { id } = expectSuccess(await me('POST', '/creators/me', {})).json;
  await join(desk, id);
  const link = expectSuccess(
    await desk.merchant.api('POST', `${desk.store}/programs/${desk.merchant.world.program.id}/links`, { creator_id: id }),
  );
  await desk.sold([50_000], link.json.url);
  expect(await invoiceAll(desk)).toEqual([]);
  expect(await casesOf(desk)).toMatchObject([{ creator_id: id, evidence: sameCard }]);
});

test('stores with other cards, and two stores of one team with the same card, hold nothing', async () => {
  const [desk, other] = [await fresh(), await fresh()];
  await payBy(desk, 'pm_ok_cid');
  await payBy(other, 'pm_ok_dan');
  const shared = await desk.newCreator('shared@creators.example');
  await join(other, shared.id);
  await desk.sold([50_000], shared.url);
  expect(await invoiceAll(desk)).toEqual([5_000]);

  const owner = await signInTo(service.url, desk.merchant.world.logins.merchant);
  const userId = readPublicId('user', (await owner('GET', '/session')).json.actor);
  invariant(userId, 'a session has a user');
  await insertRole(desk.merchant.database, { userId, storeId: other.merchant.storeId, role: 'owner', now: new Date() });
  await payBy(other, 'pm_ok_cid');
  await desk.sold([40_000], shared.url);
  expect(await invoiceAll(desk)).toEqual([4_000]);
  expect(await casesOf(desk)).toEqual([]);
});
