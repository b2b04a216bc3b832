import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { storeParty } from '../../src/people/party.ts';
import { namesOf, storePermissions } from '../../src/people/permissions.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { freshDatabase } from '../support/database.ts';
import { peopleApp, type Client, type PeopleApp } from '../support/people-app.ts';

/** What docs/security.md says of a recent proof, for the operations of a store that have no test of their own for it. */
let app: PeopleApp;
let store: Awaited<ReturnType<PeopleApp['store']>>;
let client: Client;
let program: Client;
let endpointId: string;
let paths: ReadonlyArray<readonly [path: string, body: object]>;
const proveAt = (at: Date) => app.platform.database.run(sql`update sessions set proved_at = ${at}`);
const longAgo = () => new Date(Date.now() - 11 * 60_000);

beforeAll(async () => {
  app = await peopleApp({ databaseUrl: (await freshDatabase()).url });
  const owner = await app.account();
  store = await app.store(owner);
  client = await app.signedIn(owner);
  const asked = { name: 'Program', party: storeParty(store.storeId), scopes: namesOf(storePermissions), madeBy: null };
  program = app.program((await createApiKey(app.platform.database, asked)).key);
  const hook = { url: 'https://shop.example/hook', events: ['commission.paid'] };
  endpointId = (await client.call('POST', `/stores/${store.id}/webhook-endpoints`, hook)).json.id;
  paths = [
    [`/stores/${store.id}/postback-keys`, {}],
    [`/stores/${store.id}/webhook-endpoints/${endpointId}/rotate-secret`, { previous_valid_hours: 0 }],
    [`/stores/${store.id}/customers/export`, { customer_id: 'c' }],
    [`/stores/${store.id}/customers/erase`, { customer_id: 'c' }],
  ];
});
afterAll(() => app.close());

test('a session left open on a desk makes no key, changes no secret of webhooks, and neither reads nor erases a customer', async () => {
  await proveAt(longAgo());
  for (const [path, body] of paths) expect((await client.call('POST', path, body)).json.reason, path).toBe('proof_required');
  await proveAt(new Date());
  for (const [path, body] of paths) expect((await client.call('POST', path, body)).status, path).toBeLessThan(300);
});

test('a program with a key is asked for no proof: it has nothing else to prove', async () => {
  for (const [path, body] of paths) expect((await program.call('POST', path, body)).status, path).toBeLessThan(300);
});

test('taking a key away needs no proof: what is shut in haste must not wait', async () => {
  const keys = `/stores/${store.id}/postback-keys`;
  await proveAt(longAgo());
  const [key] = (await client.call('GET', keys)).json.data;
  expect((await client.call('DELETE', `${keys}/${key.id}`)).status).toBe(204);
});
