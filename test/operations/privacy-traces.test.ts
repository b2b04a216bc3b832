import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { plusDays, realNow } from '../../src/core/time.ts';
import { replyRetentionDays, deleteExpiredPeopleData } from '../../src/people/retention.ts';
import { merchantIn, openMerchant, type Merchant } from '../support/merchant.ts';
import { createCreatorPerson, clientWithKey, anonymousClient, createPerson } from '../support/portal.ts';
import { tablesWith } from '../support/rows.ts';

/** Personal data that is easily missed: what others typed, what was never used, what exceeds a page. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

test('a key for a creator exports the data of the creator, and nothing of the account behind it', async () => {
  const creator = await createCreatorPerson(merchant.service, 'Kaya Keyed');
  const made = await creator.ask('POST', `/creators/${creator.id}/api-keys`, { name: 'For a sheet', scopes: ['creator:read'] });
  const path = `/creators/${creator.id}/export`;
  const byKey = await clientWithKey(merchant.service, made.json.key)('GET', path);
  expect([byKey.status, byKey.json.person]).toEqual([200, {}]);
  expect(byKey.json.creator.creators).toMatchObject([{ name: 'Kaya Keyed' }]);
  expect((await creator.ask('GET', path)).json.person.sessions).toHaveLength(1);
  expect((await merchant.api('GET', path)).json.person.sessions).toHaveLength(1);
});

test('erases a creator who never accepted an invitation together with the invitation, whose link stops working', async () => {
  const { api } = merchant;
  const email = 'ines.invited@people.example';
  const { id } = (await api('POST', '/creators', { name: 'Ines Invited', email })).json;
  expect((await api('POST', `/creators/${id}/invitations`, { email })).status).toBe(201);
  expect((await api('POST', `/creators/${id}/erase`, {})).status).toBe(204);
  expect(await tablesWith(merchant.database, email)).toEqual([]);
});

test('erases an address that was typed in capitals like any other, also from the log', async () => {
  const { email, ask } = await createPerson(merchant.service, 'Carl Capitals');
  const typed = email.toUpperCase();
  expect((await anonymousClient(merchant.service)('POST', '/password-resets', { email: typed })).status).toBe(200);
  expect(await tablesWith(merchant.database, typed)).toEqual(['audit_log']);
  expect((await ask('POST', '/profile/erase', {})).status).toBe(204);
  expect([await tablesWith(merchant.database, email), await tablesWith(merchant.database, typed)]).toEqual([[], []]);
});

test('rejects an ID that more than ten thousand orders carry, instead of exporting or erasing a part of them', async () => {
  const { database, storeId, world } = merchant;
  await merchant.convert(await merchant.order());
  await database.run(sql`
    insert into orders (store_id, order_hash, order_id, transaction_id, commission_id, content_hash, click_id, link_number, program_id,
      creator_id, occurred_at, recorded_at, subtotal_cents, eligible_cents, customer_id)
    select store_id, sha256(convert_to('guest ' || n, 'UTF8')), 'guest ' || n, gen_random_uuid(), gen_random_uuid(), content_hash, click_id,
      link_number, program_id, creator_id, occurred_at, recorded_at, subtotal_cents, eligible_cents, 'guest'
    from (select * from orders where store_id = ${storeId} limit 1) as one, generate_series(1, 10001) as n`);
  const path = `/stores/${world.store.id}/customers`;
  for (const ask of ['export', 'erase'])
    expect(await merchant.api('POST', `${path}/${ask}`, { customer_id: 'guest' })).toMatchObject({
      status: 422,
      json: { reason: 'limit_reached' },
    });
  expect((await merchant.api('POST', `${path}/erase`, { order_id: 'guest 7' })).json).toEqual({ orders: 1, leads: 0, bodies: 0 });
  const kept = await merchant.api('POST', `${path}/export`, { customer_id: 'guest' });
  expect(kept.json.orders).toHaveLength(10_000);
  await database.run(sql`delete from orders where store_id = ${storeId} and order_id like 'guest %'`);
});

test('a store exports and erases its own customers only, also where another store has a customer with the same ID', async () => {
  const other = merchantIn(merchant.service, await merchant.service.seed());
  for (const one of [merchant, other])
    await one.convert(await one.order({ customer_id: 'the same ID', metadata: { of: one.world.store.id } }));
  const customers = (one: Merchant) => `/stores/${one.world.store.id}/customers`;
  const exported = async (one: Merchant) => (await one.api('POST', `${customers(one)}/export`, { customer_id: 'the same ID' })).json.orders;
  expect(await exported(merchant)).toMatchObject([{ metadata: { of: merchant.world.store.id } }]);
  expect((await merchant.api('POST', `${customers(merchant)}/erase`, { customer_id: 'the same ID' })).json).toEqual({
    orders: 1,
    leads: 0,
    bodies: 1,
  });
  expect(await exported(merchant)).toEqual([]);
  expect(await exported(other)).toMatchObject([{ metadata: { of: other.world.store.id } }]);
});

test('one scheduled run removes everything that has expired, however many responses a busy day left', async () => {
  const { platform } = merchant.service;
  const old = plusDays(realNow(), -replyRetentionDays - 1);
  await platform.database.run(sql`
    insert into idempotency_keys (actor, key_hash, request_hash, made_at)
    select 'key_busy', sha256(convert_to(n::text, 'UTF8')), '', ${old} from generate_series(1, 10005) as n`);
  await deleteExpiredPeopleData(platform);
  expect(await platform.database.all(sql`select 1 from idempotency_keys where actor = 'key_busy'`)).toEqual([]);
});
