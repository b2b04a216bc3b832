import { afterAll, expect, test } from 'vitest';
import { findUserByEmail } from '../../src/people/users-sql.ts';
import type { Queryable } from '../../src/db/database.ts';
import { sql, type Sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { realNow } from '../../src/core/time.ts';
import { erasePersonData, dataSubjectOf } from '../../src/privacy/person-data.ts';
import { runWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { type Json, openMerchant } from '../support/merchant.ts';
import { type ApiClient, createCreatorPerson, clientWithKey, createPerson } from '../support/portal.ts';
import { tablesWith } from '../support/rows.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';

const receiver = await startWebhookReceiver();
/** Erases more than the account of a person: the keys that they created, and the names of these keys in the rows of others. */
const merchant = await openMerchant(await startTestService({ OUTGOING_ALLOW: receiver.host }));
afterAll(async () => {
  await merchant.service.stop();
  await receiver.close();
});

async function keyOf(ask: ApiClient, path: string, body: object): Promise<{ readonly id: string; readonly key: string }> {
  const made = await ask('POST', path, body);
  expect(made.status, made.text).toBe(201);
  return made.json;
}

async function colleague(name: string) {
  const person = await createPerson(merchant.service, name);
  await merchant.database.run(sql`
    insert into store_roles (user_id, store_id, role, since)
    select user_id, ${merchant.storeId}, 'owner', created_at from users where email = ${person.email}`);
  return person;
}

test('erases the names of a creator’s keys with the creator, including keys that were revoked earlier', async () => {
  const creator = await createCreatorPerson(merchant.service, 'Klara Keyring');
  const path = `/creators/${creator.id}/api-keys`;
  const scopes = ['creator:read'];
  const revoked = await keyOf(creator.ask, path, { name: 'Klaras old phone', scopes });
  await keyOf(creator.ask, path, { name: 'Klaras new phone', scopes });
  expect((await creator.ask('DELETE', `${path}/${revoked.id}`)).status).toBe(204);
  expect((await creator.ask('POST', '/profile/erase', {})).status).toBe(204);
  expect(await tablesWith(merchant.database, 'Klara')).toEqual([]);
});

test('erasing a person revokes the keys that they created and removes their names; the store reads which keys ended', async () => {
  const { world } = merchant;
  const person = await colleague('Ulla Unkeyed');
  const path = `/stores/${world.store.id}/api-keys`;
  const scopes = ['team:write', 'store:read', 'commissions:review'];
  const [old, made] = [
    await keyOf(person.ask, path, { name: 'Ullas old', scopes }),
    await keyOf(person.ask, path, { name: 'Ullas', scopes }),
  ];
  expect((await person.ask('DELETE', `${path}/${old.id}`)).status).toBe(204);
  const program = clientWithKey(merchant.service, made.key);
  const child = await keyOf(program, path, { name: 'Ullas child', scopes: ['store:read'] });
  const { commissionId } = await reviewerOf(merchant).sale();
  const decided = await program('POST', `/stores/${world.store.id}/commissions/approve`, { ids: [commissionId] });
  expect(decided.status, decided.text).toBe(200);
  expect(await tablesWith(merchant.database, 'Ullas')).toEqual(['api_keys', 'audit_log', 'decisions']);

  expect((await person.ask('POST', '/profile/erase', {})).status).toBe(204);
  for (const { key } of [made, child]) expect((await clientWithKey(merchant.service, key)('GET', '/session')).status).toBe(401);
  expect(await tablesWith(merchant.database, 'Ulla')).toEqual([]);
  const log = (await merchant.api('GET', `/stores/${world.store.id}/audit-log?limit=2`)).json.data;
  expect(log.map(({ action, subject }: Json) => [action, subject]).sort()).toEqual(
    [made, child].map(({ id }) => ['api_key.revoked', `/api/v1${path}/${id}`]).sort(),
  );
});

test('an event to a store’s own programs identifies the reviewer by an ID: no pending or sent event contains the name', async () => {
  const { world } = merchant;
  const person = await colleague('Wanda Webhooked');
  const userId = (await person.ask('GET', '/session')).json.actor;
  const path = `/stores/${world.store.id}`;
  const endpoint = { url: receiver.url('/hook'), events: ['commission.approved', 'commission.held'] };
  expect((await person.ask('POST', `${path}/webhook-endpoints`, endpoint)).status).toBe(201);
  const { commissionId } = await reviewerOf(merchant).sale();
  expect((await person.ask('POST', `${path}/commissions/approve`, { ids: [commissionId] })).status).toBe(200);
  const names = async () => {
    await runWebhooks(merchant.service.platform, realNow());
    return receiver.received('/hook').map(({ json }) => json.data.decided_by);
  };
  await expect.poll(names, { timeout: 20_000 }).toEqual([userId]);
  expect((await person.ask('POST', '/profile/erase', {})).status).toBe(204);
  expect(await tablesWith(merchant.database, 'Wanda')).toEqual([]);
});

test('a creator receives the decisions about them, but neither the reviewer nor the internal notes of the store', async () => {
  const { world } = merchant;
  const person = await colleague('Dorle Decider');
  const { actor } = (await person.ask('GET', '/session')).json;
  const reviewer = reviewerOf(merchant);
  const [rejected, held] = [await reviewer.sale(), await reviewer.sale()];
  const path = `/stores/${world.store.id}`;
  const why = { ids: [rejected.commissionId], reason: 'returned', note: 'a word among us' };
  expect((await person.ask('POST', `${path}/commissions/reject`, why)).status).toBe(200);
  expect((await person.ask('POST', `${path}/commissions/hold`, { ids: [held.commissionId], reason: 'dispute' })).status).toBe(200);
  const dispute = { store_id: world.store.id, commission_id: rejected.commissionId, text: 'It was not' };
  const opened = await merchant.api('POST', `/creators/${world.creator.id}/disputes`, dispute);
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

/** How often the erasure of a person with this many keys scans the whole log and all decisions. */
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
    const user = await findUserByEmail(tx, person.email);
    invariant(user, 'the created user exists');
    expect(
      await erasePersonData(counted, dataSubjectOf(user), { at: realNow(), isEvenIfOwed: false, platform: merchant.service.platform }),
    ).toBeNull();
  });
  return readings;
}

test('an erasure scans the log as often for a person with five keys as for one key', async () => {
  expect(await readingsToErase(5)).toBe(await readingsToErase(1));
  expect(await tablesWith(merchant.database, 'Konrad')).toEqual([]);
});
