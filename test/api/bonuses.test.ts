import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, signIn, type ApiClient } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const nora = await createCreatorPerson(merchant.service);
await joinProgram(merchant, nora);

const store = () => `/stores/${merchant.world.store.id}`;
const bonusesPath = () => `${store()}/programs/${merchant.world.program.id}/bonuses`;
const add = (fields: Json = {}, ask: ApiClient = owner) =>
  ask('POST', bonusesPath(), { creator_id: nora.id, amount_cents: 2_500, reason: 'Best video of the month', ...fields });
const commissionOf = async ({ commission_id: id }: Json): Promise<Json> => (await owner('GET', `${store()}/commissions/${id}`)).json;

test('a bonus is a pending commission on no amount, which names its reason to the store and to the creator', async () => {
  const { status, json: bonus } = await add({ order_id: '#77' });
  expect(status).toBe(201);
  expect(bonus).toMatchObject({ amount_cents: 2_500, reason: 'Best video of the month', order_id: '#77', creator_id: nora.id });
  expect(await commissionOf(bonus)).toMatchObject({
    state: 'pending',
    order_id: null,
    invoice_id: null,
    amount_cents: 2_500,
    eligible_cents: 0,
    attributed_by: null,
    bonus: { id: bonus.id, reason: 'Best video of the month', order_id: '#77', added_by_name: bonus.added_by_name },
    explanation: expect.stringMatching(
      /^.+ added a bonus of 25\.00 USD: Best video of the month\. It is about the order #77\. The refund hold ends on /,
    ),
  });
  const { json: sale } = await nora.ask('GET', `/creators/${nora.id}/commissions/${bonus.commission_id}`);
  expect(sale).toMatchObject({ order_id: null, amount_cents: 2_500, bonus: { reason: 'Best video of the month', order_id: '#77' } });
  expect(sale.explanation).toMatch(/^The store added a bonus of 25\.00 USD/);
  expect((await owner('GET', `${store()}/bonuses/${bonus.id}`)).json).toEqual(bonus);
  expect((await owner('GET', `${store()}/bonuses?creator_id=${nora.id}`)).json.data).toEqual([bonus]);
  expect((await owner('GET', `${store()}/bonuses?creator_id=crt_x`)).json.data).toEqual([]);
});

test('a bonus is reviewed like any other commission, and a rejected one earns nothing', async () => {
  const { json: bonus } = await add();
  const reviewer = reviewerOf(merchant);
  expect(await reviewer.results('reject', [bonus.commission_id], { reason: 'a mistake' })).toEqual(['ok']);
  expect((await commissionOf(bonus)).explanation).toMatch(/It was rejected, so it earns nothing\.$/);
  expect(await reviewer.results('approve', [bonus.commission_id])).toEqual(['ok']);
  expect((await commissionOf(bonus)).state).toBe('approved');
});

test('a bonus is earned by its creator and store, and is neither an order nor revenue', async () => {
  const totalsOf = async () => (await owner('GET', `${store()}/creators/${nora.id}`)).json.totals;
  const overviewOf = async () => (await owner('GET', `${store()}/overview`)).json;
  const [before, overview] = [await totalsOf(), await overviewOf()];
  await add({ amount_cents: 700 });
  const [after, later] = [await totalsOf(), await overviewOf()];
  expect([after.orders - before.orders, after.revenue_cents - before.revenue_cents, after.earned_cents - before.earned_cents]).toEqual([
    0, 0, 700,
  ]);
  expect(later.totals.orders).toBe(overview.totals.orders);
  expect(later.totals.earned_cents - overview.totals.earned_cents).toBe(700);
  expect(later.owed_cents - overview.owed_cents).toBe(700);
  const links = (await owner('GET', `${store()}/creators/${nora.id}/links`)).json.data;
  expect(links.reduce((sum: number, link: Json) => sum + link.earned_cents, 0)).toBe(after.earned_cents);
});

test('an Idempotency-Key adds one bonus for two requests', async () => {
  const count = async () => (await owner('GET', `${store()}/bonuses?limit=200`)).json.data.length;
  const before = await count();
  const key = { authorization: `Bearer ${merchant.world.operator_key}`, 'idempotency-key': 'bonus-1', 'content-type': 'application/json' };
  const body = JSON.stringify({ creator_id: nora.id, amount_cents: 300, reason: 'Twice' });
  const send = () => fetch(`${merchant.service.url}/api/v1${bonusesPath()}`, { method: 'POST', headers: key, body });
  const [one, other] = [await (await send()).json(), await (await send()).json()];
  expect(other).toEqual(one);
  expect(await count()).toBe(before + 1);
});

test('a bonus needs an approved member, a positive amount, and a reason', async () => {
  const stranger = await createCreatorPerson(merchant.service);
  for (const creator of [stranger.id, 'crt_unknown'])
    expect((await add({ creator_id: creator })).json).toMatchObject({
      reason: 'unprocessable',
      errors: [{ field: 'creator_id', message: 'is not an approved member of this program' }],
    });
  expect((await add({ amount_cents: 0 })).status).toBe(400);
  expect((await add({ reason: ' ' })).status).toBe(400);
  expect((await add({ amount_cents: 500_001 })).json.errors).toEqual([{ field: 'amount_cents', message: 'must be at most 5,000.00 USD' }]);
});

test('a bonus for a person of the store’s team is refused', async () => {
  const both = await createCreatorPerson(merchant.service);
  await joinProgram(merchant, both);
  await merchant.database.run(sql`
    insert into store_roles (user_id, store_id, role, since)
    select user_id, ${merchant.storeId}::uuid, 'viewer', now() from users where email = ${both.email}`);
  const { status, json } = await add({ creator_id: both.id });
  expect([status, json.reason]).toEqual([409, 'conflict']);
  expect(json.message).toContain('on the team of this store');
});

test('a role without reviews cannot add a bonus, and adding one is in the audit log', async () => {
  const { json: bonus } = await add({ amount_cents: 111 });
  const [entry] = (await owner('GET', `${store()}/audit-log?limit=1`)).json.data;
  expect(entry).toMatchObject({ action: 'bonus.add', details: { amount_cents: 111, creator_id: nora.id } });
  expect(bonus.added_by_name).toBe(entry.actor_name);
  const { json: key } = await owner('POST', `${store()}/api-keys`, { name: 'reader', scopes: ['store:read'] });
  const response = await fetch(`${merchant.service.url}/api/v1${bonusesPath()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ creator_id: nora.id, amount_cents: 1, reason: 'no' }),
  });
  expect(response.status).toBe(403);
});

test('concurrent bonuses do not exceed the limit of a day together', async () => {
  const day = merchant.at().slice(0, 10);
  const all = await Promise.all(Array.from({ length: 12 }, () => add({ amount_cents: 150_000 })));
  expect(all.filter(({ status }) => status >= 500)).toEqual([]);
  const { sum } = await merchant.database.one<{ sum: bigint }>(sql`
    select sum(amount_cents) as sum from bonuses where store_id = ${merchant.storeId} and added_at >= ${day}::date`);
  expect(Number(sum)).toBeLessThanOrEqual(1_000_000);
  expect(Number(sum)).toBeGreaterThan(850_000);
  expect(all.find(({ status }) => status !== 201)?.json).toMatchObject({ reason: 'limit_reached' });
});

test('all invariants hold', async () => {
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});
