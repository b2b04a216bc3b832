import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { plusDays, realNow } from '../../src/platform/time.ts';
import { replyDaysKept, tidyPeople } from '../../src/people/tidy.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { creatorIn, keyIn, nobodyIn, personIn } from '../support/portal.ts';

/** What is easily left behind of somebody: what others typed, what was never used, what is more than a page. */
let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
});
afterAll(() => merchant.service.stop());

/** The tables that have this word in any row. */
async function tablesWith(word: string): Promise<readonly string[]> {
  const { database } = merchant;
  const tables = await database.all<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  const found = [];
  for (const { name } of tables) {
    const { rowCount } = await database.pool.query(`select 1 from ${name} t where position($1 in t::text) > 0 limit 1`, [word]);
    if (rowCount === 1) found.push(name);
  }
  return found;
}

test('a key that speaks for a creator is told what is kept of the creator, and nothing of the account behind', async () => {
  const creator = await creatorIn(merchant.service, 'Kaya Keyed');
  const made = await creator.ask('POST', `/creators/${creator.id}/api-keys`, { name: 'For a sheet', scopes: ['creator:read'] });
  const path = `/creators/${creator.id}/export`;
  const byKey = await keyIn(merchant.service, made.json.key)('GET', path);
  expect([byKey.status, byKey.json.person]).toEqual([200, {}]);
  expect(byKey.json.creator.creators).toMatchObject([{ name: 'Kaya Keyed' }]);
  expect((await creator.ask('GET', path)).json.person.sessions).toHaveLength(1);
  expect((await merchant.api('GET', path)).json.person.sessions).toHaveLength(1);
});

test('a creator who was invited and never came is erased with the invitation: its link lets nobody in', async () => {
  const { api } = merchant;
  const email = 'ines.invited@people.example';
  const { id } = (await api('POST', '/creators', { name: 'Ines Invited', email })).json;
  expect((await api('POST', `/creators/${id}/invitations`, { email })).status).toBe(201);
  expect((await api('POST', `/creators/${id}/erase`, {})).status).toBe(204);
  expect(await tablesWith(email)).toEqual([]);
});

test('an address that was typed in capitals is erased like any other, also from the log', async () => {
  const { email, ask } = await personIn(merchant.service, 'Carl Capitals');
  const typed = email.toUpperCase();
  expect((await nobodyIn(merchant.service)('POST', '/password-resets', { email: typed })).status).toBe(200);
  expect(await tablesWith(typed)).toEqual(['audit_log']);
  expect((await ask('POST', '/profile/erase', {})).status).toBe(204);
  expect([await tablesWith(email), await tablesWith(typed)]).toEqual([[], []]);
});

test('an id that more than ten thousand orders carry is nobody’s: no part of them is told or erased as if it were all', async () => {
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
  expect((await merchant.api('POST', `${path}/erase`, { order_id: 'guest 7' })).json).toEqual({ orders: 1, bodies: 0 });
  const kept = await merchant.api('POST', `${path}/export`, { customer_id: 'guest' });
  expect(kept.json.orders).toHaveLength(10_000);
  await database.run(sql`delete from orders where store_id = ${storeId} and order_id like 'guest %'`);
});

test('a night takes away all that is over, however many answers a busy day left', async () => {
  const { platform } = merchant.service;
  const old = plusDays(realNow(), -replyDaysKept - 1);
  await platform.database.run(sql`
    insert into idempotency_keys (actor, key_hash, request_hash, made_at)
    select 'key_busy', sha256(convert_to(n::text, 'UTF8')), '', ${old} from generate_series(1, 10005) as n`);
  await tidyPeople(platform);
  expect(await platform.database.all(sql`select 1 from idempotency_keys where actor = 'key_busy'`)).toEqual([]);
});
