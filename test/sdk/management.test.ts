import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createManagementClient, ManagementError } from '../../sdk/src/management.ts';
import { openMerchant } from '../support/merchant.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const operator = createManagementClient({ url: merchant.service.url, apiKey: merchant.world.operator_key });

test('reads one object with the types of the OpenAPI document', async () => {
  const store = await operator.get('/stores/{store}', { path: { store: merchant.world.store.id } });
  expect(store.id).toBe(merchant.world.store.id);
  expect(store.status satisfies 'active' | 'past_due' | 'archived').toBe('active');
});

test('reads every row of a list, page by page', async () => {
  for (const name of ['Ana', 'Ben', 'Cho']) await operator.post('/creators', { body: { name, email: `${name}@creators.example` } });
  const names: string[] = [];
  for await (const creator of operator.each('/creators', { query: { limit: 1 } })) names.push(creator.name);
  expect(names).toEqual(expect.arrayContaining(['Ana', 'Ben', 'Cho']));
  const page = await operator.get('/creators', { query: { limit: 200 } });
  expect(page.data.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

test('creates a thing once for one idempotency key', async () => {
  const body = { name: 'Dee', email: 'dee@creators.example' };
  const first = await operator.post('/creators', { body, idempotencyKey: 'dee-1' });
  const second = await operator.post('/creators', { body, idempotencyKey: 'dee-1' });
  expect(second.id).toBe(first.id);
});

test('throws the reason and the field errors of a rejected request', async () => {
  // @ts-expect-error the body has no email
  const rejected = operator.post('/creators', { body: { name: 'Eve' } });
  const error = await rejected.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ManagementError);
  expect(error).toMatchObject({ status: 400, errors: [{ field: 'email' }], requestId: expect.any(String) });
});

test('treats a store of another tenant like one that does not exist', async () => {
  const unknown = operator.get('/stores/{store}', { path: { store: 'store_00000000000000000000000000' } });
  await expect(unknown).rejects.toMatchObject({ status: 404, reason: 'not_found' });
});

test('refuses to build a path without its parameter', async () => {
  await expect(operator.get('/stores/{store}', { path: { store: '' } })).rejects.toThrow('needs "store"');
});

test('refuses to send a key in plain text to another machine', () => {
  expect(() => createManagementClient({ url: 'http://partners.example', apiKey: 'trb_sample' })).toThrow('Use https');
});

type Seen = { readonly key: string | undefined; readonly url: string };

async function scripted(responses: ReadonlyArray<{ readonly status: number; readonly body: string; readonly headers?: object }>) {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const next = responses[Math.min(seen.length, responses.length - 1)];
    seen.push({ key: request.headers['idempotency-key'] as string | undefined, url: request.url ?? '' });
    response.writeHead(next?.status ?? 500, { 'content-type': 'application/json', ...next?.headers }).end(next?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, client: createManagementClient({ url, apiKey: 'trb_sample', attemptsMax: 3 }) };
}

const busy = { status: 503, body: '{"ok":false,"reason":"unavailable","message":"Busy.","errors":[]}', headers: { 'retry-after': '0' } };
const creator = { name: 'Flo', email: 'flo@creators.example' };

test('retries 503 with the same idempotency key', async () => {
  const { seen, client } = await scripted([busy, busy, { status: 201, body: '{"id":"crt_1"}' }]);
  expect(await client.post('/creators', { body: creator })).toEqual({ id: 'crt_1' });
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
});

test('gives up after the attempts that it was given, with the last error', async () => {
  const { seen, client } = await scripted([busy]);
  await expect(client.get('/creators')).rejects.toMatchObject({ status: 503, reason: 'unavailable' });
  expect(seen).toHaveLength(3);
});

test('keeps sums above 2^53 exact', async () => {
  const { client } = await scripted([{ status: 200, body: '{"total_cents":90071992547409931}' }]);
  expect(await client.get('/stores/{store}/invoices/totals', { path: { store: 's' } })).toEqual({ total_cents: 90_071_992_547_409_931n });
});

test('encodes path parameters, so that a value cannot lead to another path', async () => {
  const { seen, client } = await scripted([{ status: 200, body: '{}' }]);
  await client.get('/stores/{store}', { path: { store: '../creators?x=1' } });
  expect(seen[0]?.url).toBe('/api/v1/stores/..%2Fcreators%3Fx%3D1');
});

test('stops when the caller aborts', async () => {
  const { client } = await scripted([{ ...busy, headers: { 'retry-after': '30' } }]);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 50);
  await expect(client.get('/creators', { signal: stop.signal })).rejects.toThrow('stopped');
});

test('does not repeat a PATCH or DELETE after 503, because the server may have executed it', async () => {
  const { seen, client } = await scripted([busy]);
  await expect(client.patch('/stores/{store}', { path: { store: 's' }, body: {} })).rejects.toMatchObject({ status: 503 });
  await expect(client.delete('/session')).rejects.toMatchObject({ status: 503 });
  expect(seen).toHaveLength(2);
});

test('refuses to send an amount that would lose digits', async () => {
  const { seen, client } = await scripted([{ status: 200, body: '{}' }]);
  const body = { minimum_cents: 90_071_992_547_409_931n };
  await expect(client.post('/billing-runs', { body })).rejects.toThrow('minimum_cents is too large');
  expect(seen).toEqual([]);
});
