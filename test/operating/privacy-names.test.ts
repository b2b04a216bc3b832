import { afterAll, beforeAll, expect, test } from 'vitest';
import { userByEmail } from '../../src/people/users-sql.ts';
import type { Queryable } from '../../src/platform/database/database.ts';
import { sql, type Sql } from '../../src/platform/database/sql.ts';
import { must } from '../../src/platform/must.ts';
import { realNow } from '../../src/platform/time.ts';
import { erase, somebodyWith } from '../../src/privacy/person.ts';
import { tendWebhooks } from '../../src/webhooks/tend.ts';
import { webhookReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { creatorIn, keyIn, personIn, type Asker } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';

/** What goes with somebody besides their account: the keys that they made, and the names that these have in the rows of others. */
let merchant: Merchant;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await webhookReceiver();
  merchant = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host }));
});
afterAll(async () => {
  await merchant.service.stop();
  await receiver.close();
});

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
  return found.sort();
}

async function keyOf(ask: Asker, path: string, body: object): Promise<{ readonly id: string; readonly key: string }> {
  const made = await ask('POST', path, body);
  expect(made.status, made.text).toBe(201);
  return made.json;
}

async function colleague(name: string) {
  const person = await personIn(merchant.service, name);
  await merchant.database.run(sql`
    insert into store_roles (user_id, store_id, role, since)
    select user_id, ${merchant.storeId}, 'owner', created_at from users where email = ${person.email}`);
  return person;
}

test('the names of a creator’s keys go with the creator, also of those that were revoked before', async () => {
  const creator = await creatorIn(merchant.service, 'Klara Keyring');
  const path = `/creators/${creator.id}/api-keys`;
  const scopes = ['creator:read'];
  const revoked = await keyOf(creator.ask, path, { name: 'Klaras old phone', scopes });
  await keyOf(creator.ask, path, { name: 'Klaras new phone', scopes });
  expect((await creator.ask('DELETE', `${path}/${revoked.id}`)).status).toBe(204);
  expect((await creator.ask('POST', '/profile/erase', {})).status).toBe(204);
  expect(await tablesWith('Klara')).toEqual([]);
});

test('the keys that somebody made end with them and lose their names, whatever these keys did; the store reads which ended', async () => {
  const { world } = merchant;
  const person = await colleague('Ulla Unkeyed');
  const path = `/stores/${world.store.id}/api-keys`;
  const scopes = ['team:write', 'store:read', 'commissions:review'];
  const [old, made] = [
    await keyOf(person.ask, path, { name: 'Ullas old', scopes }),
    await keyOf(person.ask, path, { name: 'Ullas', scopes }),
  ];
  expect((await person.ask('DELETE', `${path}/${old.id}`)).status).toBe(204);
  const program = keyIn(merchant.service, made.key);
  const child = await keyOf(program, path, { name: 'Ullas child', scopes: ['store:read'] });
  const { commissionId } = await reviewerOf(merchant).sale();
  const decided = await program('POST', `/stores/${world.store.id}/commissions/approve`, { ids: [commissionId] });
  expect(decided.status, decided.text).toBe(200);
  expect(await tablesWith('Ullas')).toEqual(['api_keys', 'audit_log', 'decisions']);

  expect((await person.ask('POST', '/profile/erase', {})).status).toBe(204);
  for (const { key } of [made, child]) expect((await keyIn(merchant.service, key)('GET', '/session')).status).toBe(401);
  expect(await tablesWith('Ulla')).toEqual([]);
  const log = (await merchant.api('GET', `/stores/${world.store.id}/audit-log?limit=2`)).json.data;
  expect(log.map(({ action, subject }: Json) => [action, subject]).sort()).toEqual(
    [made, child].map(({ id }) => ['api_key.revoked', `/api/v1${path}/${id}`]).sort(),
  );
});

test('what a store’s own programs are told says who decided by an id: the name stands in no event, waiting or sent', async () => {
  const { world } = merchant;
  const person = await colleague('Wanda Webhooked');
  const userId = (await person.ask('GET', '/session')).json.actor;
  const path = `/stores/${world.store.id}`;
  const endpoint = { url: receiver.url('/hook'), events: ['commission.approved', 'commission.held'] };
  expect((await person.ask('POST', `${path}/webhook-endpoints`, endpoint)).status).toBe(201);
  const { commissionId } = await reviewerOf(merchant).sale();
  expect((await person.ask('POST', `${path}/commissions/approve`, { ids: [commissionId] })).status).toBe(200);
  const told = async () => {
    await tendWebhooks(merchant.service.platform, realNow());
    return receiver.taken('/hook').map(({ json }) => json.data.decided_by);
  };
  await expect.poll(told, { timeout: 20_000 }).toEqual([userId]);
  expect((await person.ask('POST', '/profile/erase', {})).status).toBe(204);
  expect(await tablesWith('Wanda')).toEqual([]);
});

test('a creator is told what was decided about them, and neither who decided nor what the shop noted for itself', async () => {
  const { world } = merchant;
  const person = await colleague('Dorle Decider');
  const { actor } = (await person.ask('GET', '/session')).json;
  const reviewer = reviewerOf(merchant);
  const [rejected, held] = [await reviewer.sale(), await reviewer.sale()];
  const path = `/stores/${world.store.id}`;
  const why = { ids: [rejected.commissionId], reason: 'returned', note: 'a word among us' };
  expect((await person.ask('POST', `${path}/commissions/reject`, why)).status).toBe(200);
  expect((await person.ask('POST', `${path}/commissions/hold`, { ids: [held.commissionId], reason: 'dispute' })).status).toBe(200);
  const asked = { store_id: world.store.id, commission_id: rejected.commissionId, text: 'It was not' };
  const opened = await merchant.api('POST', `/creators/${world.creator.id}/disputes`, asked);
  expect(opened.status, opened.text).toBe(201);
  const declined = await person.ask('POST', `${path}/disputes/${opened.json.id}/decline`, { note: 'It was, we looked' });
  expect(declined.status, declined.text).toBe(200);

  const kept = await merchant.api('GET', `/creators/${world.creator.id}/export`);
  expect(kept.json.creator.commission_disputes).toMatchObject([{ state: 'declined', note: 'It was, we looked' }]);
  expect(kept.json.creator.commissions).toEqual(
    expect.arrayContaining([expect.objectContaining({ rejected_reason: 'returned' }), expect.objectContaining({ held_reason: 'dispute' })]),
  );
  for (const word of ['Dorle', actor, 'a word among us']) expect(kept.text).not.toContain(word);
  for (const payout of kept.json.creator.payouts) expect(Object.keys(payout)).not.toContain('started_by');
});

/** How often the whole log, and the decisions, are gone through to erase somebody with so many keys. */
async function readingsToErase(keys: number): Promise<number> {
  const person = await colleague(`Konrad Keys ${keys}`);
  const path = `/stores/${merchant.world.store.id}/api-keys`;
  for (let made = 0; made < keys; made++) await keyOf(person.ask, path, { name: `Konrads ${made}`, scopes: ['store:read'] });
  let readings = 0;
  const count = ({ strings }: Sql) => {
    const text = strings.join('');
    if (/\b(?:audit_log|decisions)\b/.test(text) && !text.includes('insert into')) readings += 1;
  };
  await merchant.database.transaction(async (tx) => {
    const counted: Queryable = {
      ...tx,
      all: (query) => (count(query), tx.all(query)),
      run: (query) => (count(query), tx.run(query)),
    };
    const user = await userByEmail(tx, person.email);
    must(user, 'whoever was made is there');
    expect(
      await erase(counted, somebodyWith(user), { at: realNow(), isEvenIfOwed: false, platform: merchant.service.platform }),
    ).toBeNull();
  });
  return readings;
}

test('to erase somebody the log is gone through as often with five keys as with one', async () => {
  expect(await readingsToErase(5)).toBe(await readingsToErase(1));
  expect(await tablesWith('Konrad')).toEqual([]);
});
