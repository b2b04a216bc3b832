import { expect, test } from 'vitest';
import { openSharedMerchant, type Json } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { createCreatorPerson, joinProgram } from '../support/portal.ts';

const merchant = await openSharedMerchant();
const path = `/stores/${merchant.world.store.id}/creators/${merchant.world.creator.id}`;

const read = async (query = ''): Promise<Json> => (await merchant.api('GET', `${path}${query}`)).json;
const today = () => merchant.at().slice(0, 10);

test('shows the memberships with the terms in force, results by day, and commissions by state', async () => {
  const orders = [];
  for (const order_subtotal_cents of [10_000, 30_000]) {
    const order = await merchant.order({ order_subtotal_cents });
    await merchant.convert(order);
    orders.push(order.order_id);
  }
  await merchant.reverse({ order_id: orders[0] });
  const profile = await read();
  expect(profile).toMatchObject({
    id: merchant.world.creator.id,
    name: 'Cora Creator',
    can_be_paid: true,
    totals: { clicks: 2, leads: 0, orders: 2, revenue_cents: 40_000, earned_cents: 3_000 },
    days: [{ day: today(), clicks: 2, leads: 0, orders: 2, revenue_cents: 40_000, earned_cents: 3_000 }],
    commissions: [
      { state: 'pending', count: 1, amount_cents: 3_000 },
      { state: 'reversed', count: 1, amount_cents: 1_000 },
    ],
  });
  expect(profile.memberships).toContainEqual(
    expect.objectContaining({
      program_id: merchant.world.program.id,
      program_name: 'Friends of the shop',
      status: 'approved',
      terms_version: 1,
    }),
  );
  const { days, totals } = await read('?from=2026-01-01&to=2026-01-02');
  expect([days, totals]).toEqual([[], { clicks: 0, leads: 0, orders: 0, revenue_cents: 0, earned_cents: 0 }]);
  expect((await merchant.api('GET', `${path}?from=2026-02-31`)).status).toBe(400);
});

test('lists the links of the creator with the results of each', async () => {
  const { status, json } = await merchant.api('GET', `${path}/links?limit=1`);
  expect([status, json.data.length]).toEqual([200, 1]);
  const all = (await merchant.api('GET', `${path}/links`)).json.data;
  expect(all).toContainEqual(
    expect.objectContaining({
      url: merchant.world.link.url,
      program_name: 'Friends of the shop',
      clicks: 2,
      orders: 2,
      earned_cents: 3_000,
    }),
  );
});

test('lists the commissions by state in the order of a commission’s life', async () => {
  const order = await merchant.order();
  await merchant.convert(order);
  const [approved] = (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?order_id=${order.order_id}`)).json.data;
  await reviewerOf(merchant).results('approve', [approved.id]);
  expect((await read()).commissions.map(({ state }: Json) => state)).toEqual(['pending', 'approved', 'reversed']);
});

test('never contains the email address or the payout method of the creator', async () => {
  const { text } = await merchant.api('GET', path);
  for (const word of [merchant.world.logins.creator.email, 'sandbox', 'last4', 'provider']) expect(text).not.toContain(word);
});

test('a creator without a payout method, or with a suspended account, cannot be paid', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  await joinProgram(merchant, nora);
  const canBePaid = async () => (await merchant.api('GET', `/stores/${merchant.world.store.id}/creators/${nora.id}`)).json.can_be_paid;
  expect((await merchant.api('GET', `/creators/${nora.id}`)).json.payout_method).not.toBeNull();
  expect(await canBePaid()).toBe(true);
  expect((await merchant.api('POST', `/creators/${nora.id}/suspend`, { reason: 'under review' })).status).toBe(200);
  expect(await canBePaid()).toBe(false);
});

test('the history has the changes of memberships and links of this creator in this store, newest first', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Hilda History');
  const { world } = merchant;
  await joinProgram(merchant, nora);
  const own = `/stores/${world.store.id}/creators/${nora.id}`;
  const { data } = (await merchant.api('GET', `${own}/history`)).json;
  expect(data.map(({ action }: Json) => action)).toContain('member.change');
  const { memberships } = (await merchant.api('GET', own)).json;
  const member = `/stores/${world.store.id}/programs/${world.program.id}/members/${memberships[0].id}`;
  expect((await merchant.api('PATCH', member, { status: 'paused' })).status).toBe(200);
  const link = { creator_id: nora.id };
  await merchant.api('PATCH', member, { status: 'approved' });
  expect((await merchant.api('POST', `/stores/${world.store.id}/programs/${world.program.id}/links`, link)).status).toBe(201);
  const after = (await merchant.api('GET', `${own}/history`)).json.data.map(({ action }: Json) => action);
  expect(after.slice(0, 3)).toEqual(['link.create', 'member.change', 'member.change']);
  const others = (await merchant.api('GET', `${path}/history`)).json.data.map(({ subject }: Json) => subject);
  expect(others.some((subject: string) => subject.includes(memberships[0].id))).toBe(false);
});

test('a creator who never applied to the store is answered like one that does not exist', async () => {
  const stranger = await createCreatorPerson(merchant.service, 'Stella Stranger');
  const missing = merchant.world.creator.id.slice(0, -6);
  for (const part of ['', '/links', '/history'])
    for (const id of [stranger.id, `${missing}000000`])
      expect((await merchant.api('GET', `/stores/${merchant.world.store.id}/creators/${id}${part}`)).status).toBe(404);
});
