import { afterAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { storeParty } from '../../src/people/party.ts';
import { storePermissions } from '../../src/people/permissions.ts';
import { namesOf } from '../../src/core/names-of.ts';
import { sql } from '../../src/db/sql.ts';
import { peopleApp } from '../support/people-app.ts';

const proveAt = (at: Date) => app.platform.database.run(sql`update sessions set proved_at = ${at}`);
const longAgo = () => new Date(Date.now() - 11 * 60_000);

/** Checks docs/security.md about recent proofs, for the operations of a store that have no separate test for it. */
const app = await peopleApp();
afterAll(() => app.close());
const owner = await app.account();
const store = await app.store(owner);
const client = await app.signedIn(owner);
const newKey = { name: 'Program', party: storeParty(store.storeId), scopes: namesOf(storePermissions), madeBy: null };
const program = app.program((await createApiKey(app.platform.database, newKey)).key);
const hook = { url: 'https://shop.example/hook', events: ['commission.paid'] };
const endpointId = (await client.call('POST', `/stores/${store.id}/webhook-endpoints`, hook)).json.id;
const paths: ReadonlyArray<readonly [string, object]> = [
  [`/stores/${store.id}/postback-keys`, {}],
  [`/stores/${store.id}/webhook-endpoints/${endpointId}/rotate-secret`, { previous_valid_hours: 0 }],
  [`/stores/${store.id}/customers/export`, { customer_id: 'c' }],
  [`/stores/${store.id}/customers/erase`, { customer_id: 'c' }],
];

test('a session without a recent proof cannot create a key, change a webhook secret, or read or erase a customer', async () => {
  await proveAt(longAgo());
  for (const [path, body] of paths) expect((await client.call('POST', path, body)).json.reason, path).toBe('proof_required');
  await proveAt(new Date());
  for (const [path, body] of paths) expect((await client.call('POST', path, body)).status, path).toBeLessThan(300);
});

test('an API key needs no proof, because it has nothing else to prove', async () => {
  for (const [path, body] of paths) expect((await program.call('POST', path, body)).status, path).toBeLessThan(300);
});

test('revoking a key needs no proof, because an emergency must not wait', async () => {
  const keys = `/stores/${store.id}/postback-keys`;
  await proveAt(longAgo());
  const [key] = (await client.call('GET', keys)).json.data;
  expect((await client.call('DELETE', `${keys}/${key.id}`)).status).toBe(204);
});
