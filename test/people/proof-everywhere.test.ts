import { generate } from 'otplib';
import { afterAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import type { Endpoint } from '../../src/people/endpoint.ts';
import type { ApiRoute } from '../../src/people/request-pipeline.ts';
import { operatorParty, storeParty } from '../../src/people/party.ts';
import type { OperatorScope } from '../../src/people/permissions.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { minuteMs } from '../../src/core/time.ts';
import { wholeRoutes } from '../support/described-responses.ts';
import { testPassword, peopleApp, type Client } from '../support/people-app.ts';

/** Checks for every operation, on an installation in live mode, when a person must give a proof and a key is refused. */
const app = await peopleApp({ mode: 'live', requestsPerSecond: 10_000 });
afterAll(() => app.close());
const operator = await app.account({ isOperator: true, hasSecondFactor: true });
const places: Readonly<Record<string, string>> = { store: (await app.store(null)).id, creator: (await app.creator()).id };

const guarded = wholeRoutes.filter(({ endpoint }) => endpoint.proof !== false);
const nothing = newId<'inv'>(new Date());

/** The store and the creator in the path exist; all other IDs do not, so that a request that is not refused earlier gets a 404. */
function pathOf({ path, endpoint }: ApiRoute): string {
  const ids: Endpoint['ids'] = endpoint.ids;
  return path
    .replace('/api/v1', '')
    .replaceAll(/:(\w+)/g, (_, name: string) => places[name] ?? publicId((ids[name] ?? 'inv') as 'inv', nothing));
}
const send = (client: Client, route: ApiRoute) => {
  const body = route.method === 'GET' || route.endpoint.body === null ? undefined : {};
  return client.call(route.method, pathOf(route), body, { accept: 'text/csv' });
};
const proveAt = (minutesAgo: number) =>
  app.platform.database.run(sql`update sessions set proved_at = ${new Date(Date.now() - minutesAgo * minuteMs)}`);

async function keyWith(...scopes: OperatorScope[]): Promise<Client> {
  const made = { name: 'Program', party: operatorParty, scopes, madeBy: operator.userId };
  return app.program((await createApiKey(app.platform.database, made)).key);
}

test('a session left open for eleven minutes is refused by every operation that requires a proof', async () => {
  const client = await app.signedIn(operator);
  await proveAt(11);
  for (const route of guarded) {
    const response = await send(client, route);
    expect([route.method, route.path, response.json?.reason]).toEqual([route.method, route.path, 'proof_required']);
  }
  const plain = await client.call('GET', '/payouts');
  expect(plain.status).toBe(200);
  await proveAt(0);
  const file = await fetch(`${app.url}/api/v1/payouts`, { headers: { cookie: client.cookie(), accept: 'text/csv' } });
  expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
});

test('in live mode an operator key is refused by every operation that requires a proof from a person', async () => {
  const program = await keyWith();
  for (const route of guarded.filter(({ endpoint }) => ['refused', 'permitted'].includes(endpoint.liveKeys))) {
    const response = await send(program, route);
    const reason = route.endpoint.access.allow === 'person' ? 'permission_missing' : 'person_required';
    expect([route.method, route.path, response.json?.reason]).toEqual([route.method, route.path, reason]);
  }
  expect((await program.call('GET', '/payouts')).status).toBe(200);
  expect((await program.call('POST', `/payouts/${publicId('pay', newId<'pay'>(new Date()))}/refuse`, { reason: 'x' })).json.reason).toBe(
    'person_required',
  );
});

test('in live mode a key can start a run only with the scope for it', async () => {
  const [none, billing, payouts] = [await keyWith(), await keyWith('billing:run'), await keyWith('payouts:run')];
  const statuses = async (path: string) =>
    Promise.all([none, billing, payouts].map(async (program) => (await program.call('POST', path, { dry_run: true })).status));
  expect(await statuses('/billing-runs')).toEqual([403, 201, 403]);
  expect(await statuses('/payout-runs')).toEqual([403, 403, 201]);
});

test('an operator grants a key its scopes with a proof, and the list of keys names them', async () => {
  const client = await app.signedIn(operator);
  const made = await client.call('POST', '/api-keys', { name: 'Nightly', scopes: ['payouts:run'] });
  expect(made.json).toMatchObject({ name: 'Nightly', scopes: ['payouts:run'] });
  expect((await client.call('POST', '/api-keys', { name: 'Nightly', scopes: ['store:read'] })).status).toBe(400);
  const { data } = (await client.call('GET', '/api-keys')).json;
  expect(data).toContainEqual(expect.objectContaining({ id: made.json.id, scopes: ['payouts:run'] }));
});

test('in live mode a store key reports and integrates within its scope, and cannot set a payment method', async () => {
  const store = await app.store(null);
  const scopes = ['integration:write', 'billing:write'] as const;
  const made = { name: 'Shop', party: storeParty(store.storeId), scopes, madeBy: null };
  const storeKey = app.program((await createApiKey(app.platform.database, made)).key);
  expect((await storeKey.call('POST', `/stores/${store.id}/postback-keys`)).status).toBe(201);
  expect((await storeKey.call('PUT', `/stores/${store.id}/payment-method`, { sandbox: 'ok' })).json.reason).toBe('person_required');
});

test('a password change with a second factor on requires its code', async () => {
  const person = await app.account();
  const client = await app.signedIn(person);
  const { secret } = (await client.call('POST', '/second-factor')).json;
  const code = (step: 0 | 1) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + step * 30 });
  await client.call('POST', '/second-factor/confirm', { code: await code(0) });
  const change = { current_password: testPassword, new_password: 'another long and good password' };
  expect((await client.call('PUT', '/password', change)).json.reason).toBe('second_factor_required');
  expect((await client.call('PUT', '/password', { ...change, code: '000000' })).json.reason).toBe('wrong_code');
  expect((await client.call('PUT', '/password', { ...change, code: await code(1) })).status).toBe(204);
});
