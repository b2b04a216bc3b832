import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { dayMs, hourMs, realNow } from '../../src/core/time.ts';
import { failingDaysMax, pausesMs } from '../../src/webhooks/decide-attempt.ts';
import { runWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { anotherBiller, type Biller, expectSuccess } from '../support/billing.ts';
import { type Json, openMerchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { verified, startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
const closed = await startWebhookReceiver();
// Without the queue, whose clock differs from the time that the tests use.
const service = await startTestService({ OUTGOING_ALLOW: `${receiver.host},${closed.host}`, ROLE: 'web' });
const first = await openMerchant(service);
await closed.close();
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** Runs the task as if this much real time had passed. */
const lookAt = (laterMs: number) => runWebhooks(service.platform, new Date(realNow().getTime() + laterMs));

let paths = 0;
async function listening(biller: Biller, url?: string) {
  const path = `/hook-${(paths += 1)}`;
  const { api } = biller.merchant;
  const endpoints = `${biller.store}/webhook-endpoints`;
  const body = { url: url ?? receiver.url(path), events: ['commission.recorded', 'commission.held'] };
  const { json } = expectSuccess(await api('POST', endpoints, body));
  const at = `${endpoints}/${json.id}`;
  return {
    path,
    secret: String(json.secret),
    id: String(json.id),
    call: (method: string, rest = '', payload?: unknown) => api(method, at + rest, payload),
    taken: () => receiver.received(path),
    deliveries: async (): Promise<readonly Json[]> => expectSuccess(await api('GET', `${at}/deliveries`)).json.data,
    one: async (id: string): Promise<Json> => expectSuccess(await api('GET', `${at}/deliveries/${id}`)).json,
    endpointState: async (): Promise<Json> =>
      expectSuccess(await api('GET', endpoints)).json.data.find(({ id }: { readonly id: string }) => id === json.id),
  };
}
const sell = (biller: Biller) => reviewerOf(biller.merchant).sale();

test('retries a failed delivery after growing pauses, with the same ID and bytes, until it succeeds', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  let code = 500;
  receiver.answer(hook.path, (response) => response.writeHead(code, { location: receiver.url('/elsewhere') }).end('no\0 good'));
  await sell(biller);
  await lookAt(0);
  const [waiting] = await hook.deliveries();
  expect(waiting).toMatchObject({ type: 'commission.recorded', state: 'waiting', attempts: 1, last_status: 500 });
  code = 307;
  await lookAt(dayMs);
  code = 429;
  await lookAt(2 * dayMs);
  const before = await hook.one(waiting.id);
  expect(Date.parse(before.next_try_at) - Date.parse(before.attempts_made[0].at)).toBe(pausesMs[2]);
  code = 204;
  await lookAt(3 * dayMs);
  await lookAt(4 * dayMs);
  const [done] = await hook.deliveries();
  expect(done).toMatchObject({ id: waiting.id, state: 'delivered', attempts: 4, last_status: 204, next_try_at: null });
  expect(receiver.received('/elsewhere')).toEqual([]);
  const taken = hook.taken();
  expect(taken).toHaveLength(4);
  expect(new Set(taken.map(({ id }) => id))).toEqual(new Set([done.event_id]));
  expect(new Set(taken.map(({ body }) => body)).size).toBe(1);
  for (const one of taken) verified(one, hook.secret);
  const { body, attempts_made: made } = await hook.one(done.id);
  expect(body).toBe(taken[0]?.body);
  expect(made.map(({ status }: Json) => status)).toEqual([204, 429, 307, 500]);
  expect(made[3]).toMatchObject({ number: 1, answer: 'no\ufffd good', fault: null, took_ms: expect.any(Number) });
});

test('a receiver that is down, hangs, or never ends its response fails, and delays no other receiver', async () => {
  const biller = await anotherBiller(first);
  const away = await listening(biller, closed.url('/'));
  const hanging = await listening(biller);
  const endless = await listening(biller);
  const quick = await listening(biller);
  receiver.answer(hanging.path, () => {});
  receiver.answer(endless.path, (response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(1_000)), 5);
    response.on('close', () => clearInterval(more));
  });
  await sell(biller);
  await lookAt(0);
  expect(quick.taken()).toHaveLength(1);
  expect((await away.deliveries())[0]).toMatchObject({
    state: 'waiting',
    last_status: null,
    last_fault: expect.stringContaining('could not be reached'),
  });
  expect((await hanging.deliveries())[0]).toMatchObject({ state: 'waiting', last_fault: expect.stringContaining('did not answer') });
  // The status says success, so the rest of the response is not read.
  const [ended] = await endless.deliveries();
  expect(ended).toMatchObject({ state: 'delivered', last_status: 200 });
  expect((await endless.one(ended.id)).attempts_made[0].answer).toHaveLength(1_000);
  // The other endpoints do not wait for it.
  await hanging.call('DELETE');
});

test('concurrent senders send each event once', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  receiver.answer(hook.path, (response) => setTimeout(() => response.writeHead(200).end(), 20));
  for (let sold = 0; sold < 12; sold++) await sell(biller);
  await Promise.all([lookAt(0), lookAt(0), lookAt(0)]);
  expect(hook.taken()).toHaveLength(12);
  expect(new Set(hook.taken().map(({ id }) => id)).size).toBe(12);
});

test('rejects an address in a private network when it connects, before any byte arrives', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller, `https://localhost:${receiver.host.split(':')[1]}/private`);
  await sell(biller);
  await lookAt(0);
  expect(receiver.received('/private')).toEqual([]);
  expect((await hook.deliveries())[0]).toMatchObject({
    state: 'waiting',
    last_fault: expect.stringContaining('not on the public internet'),
  });
});

test('rejects a host name that resolves to a private machine after it was accepted', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller, 'https://hooks.example/private');
  const { database, storeId } = biller.merchant;
  const ours = `${service.url}/healthz`;
  await database.run(sql`update webhook_endpoints set url = ${ours} where store_id = ${storeId}`);
  await sell(biller);
  await lookAt(0);
  expect((await hook.deliveries())[0]).toMatchObject({
    last_status: null,
    last_fault: expect.stringContaining('not on the public internet'),
  });
});

test('both secrets are valid during a rotation, and only the new one afterwards', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  const rotated = expectSuccess(await hook.call('POST', '/rotate-secret', {})).json;
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(Date.parse(rotated.previous_valid_until) - realNow().getTime()).toBeGreaterThan(23 * hourMs);
  await sell(biller);
  await lookAt(0);
  const [both] = hook.taken();
  if (!both) throw new Error('the event was delivered');
  expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  verified(both, hook.secret);
  verified(both, rotated.secret);
  expect(await hook.call('POST', '/rotate-secret', {})).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
  await sell(biller);
  await lookAt(25 * hourMs);
  const [, later] = hook.taken();
  if (!later) throw new Error('the event was delivered');
  expect(() => verified(later, hook.secret)).toThrow('No matching signature');
  verified(later, rotated.secret);
  const third = expectSuccess(await hook.call('POST', '/rotate-secret', { previous_valid_hours: 0 })).json;
  expect(third.previous_valid_until).toBeNull();
  await sell(biller);
  await lookAt(25 * hourMs);
  const last = hook.taken().at(-1);
  if (!last) throw new Error('the event was delivered');
  expect(() => verified(last, rotated.secret)).toThrow('No matching signature');
  verified(last, third.secret);
});

test('signs nothing with a revoked secret, not even deliveries of the same batch', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  // The secret changes while the first four deliveries wait for a response.
  let rotation: Promise<{ readonly json: Json }> | undefined;
  receiver.answer(hook.path, (response) => {
    rotation ??= hook.call('POST', '/rotate-secret', { previous_valid_hours: 0 });
    void rotation.then(() => response.writeHead(200).end());
  });
  for (let sold = 0; sold < 5; sold++) await sell(biller);
  await lookAt(0);
  const taken = hook.taken();
  expect(taken).toHaveLength(5);
  for (const one of taken.slice(0, 4)) verified(one, hook.secret);
  const [fifth] = taken.slice(4);
  if (!fifth) throw new Error('the event was delivered');
  verified(fifth, (await rotation)?.json.secret);
  expect(() => verified(fifth, hook.secret)).toThrow('No matching signature');
});

test('disables an endpoint that fails for days, emails its people, and sends nothing until they enable it', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  receiver.answer(hook.path, (response) => response.writeHead(503).end());
  await sell(biller);
  await lookAt(0);
  expect(await hook.endpointState()).toMatchObject({ is_enabled: true, failing_since: expect.any(String) });
  await lookAt((failingDaysMax - 1) * dayMs);
  expect(await hook.endpointState()).toMatchObject({ is_enabled: true });
  await sell(biller);
  await lookAt((failingDaysMax + 0.01) * dayMs);
  expect(await hook.endpointState()).toMatchObject({ is_enabled: false, disabled_why: 'failing' });
  expect((await hook.deliveries()).map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(await biller.emails()).toEqual([expect.stringContaining('a webhook endpoint was disabled')]);
  const sent = hook.taken().length;
  await sell(biller);
  await lookAt(10 * dayMs);
  expect(hook.taken()).toHaveLength(sent);
  const [failed] = await hook.deliveries();
  expect(await hook.call('POST', `/deliveries/${failed.id}/resend`)).toMatchObject({ status: 409 });
  receiver.answer(hook.path, (response) => response.writeHead(200).end());
  expect(expectSuccess(await hook.call('PATCH', '', { is_enabled: true })).json).toMatchObject({ is_enabled: true, failing_since: null });
  await lookAt(0);
  expect(hook.taken()).toHaveLength(sent);
  expectSuccess(await hook.call('POST', `/deliveries/${failed.id}/resend`));
  await sell(biller);
  await lookAt(0);
  expect(hook.taken()).toHaveLength(sent + 2);
  expect(await hook.one(failed.id)).toMatchObject({ state: 'delivered' });
});

test('immediately disables an endpoint that answers 410', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  receiver.answer(hook.path, (response) => response.writeHead(410).end());
  await sell(biller);
  await lookAt(0);
  expect(await hook.endpointState()).toMatchObject({ is_enabled: false, disabled_why: 'gone' });
  expect(await biller.emails()).toHaveLength(1);
});

test('makes ten attempts over three days, and then no more unless a user resends', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  receiver.answer(hook.path, (response) => response.writeHead(500).end());
  await sell(biller);
  let laterMs = 0;
  for (const pauseMs of [0, ...pausesMs, hourMs, dayMs]) await lookAt((laterMs += pauseMs + 1_000));
  const [delivery] = await hook.deliveries();
  expect(delivery).toMatchObject({ state: 'failed', attempts: pausesMs.length + 1 });
  receiver.answer(hook.path, (response) => response.writeHead(200).end());
  expectSuccess(await hook.call('POST', `/deliveries/${delivery.id}/resend`));
  await lookAt(0);
  expect((await hook.deliveries())[0]).toMatchObject({ state: 'delivered', attempts: pausesMs.length + 2 });
});

test('shows a secret once and stores it sealed, rejects invalid URLs, and allows at most ten endpoints', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  expect(JSON.stringify(await hook.endpointState())).not.toContain('whsec_');
  const { database, storeId, api } = biller.merchant;
  const [kept] = await database.all<{ secretSealed: Buffer }>(sql`select secret_sealed from webhook_secrets where store_id = ${storeId}`);
  expect(kept?.secretSealed.includes(hook.secret)).toBe(false);
  const create = (url: string) => api('POST', `${biller.store}/webhook-endpoints`, { url, events: ['invoice.paid'] });
  expect(await create('http://shop.example/')).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'url', message: 'must begin with https://' }] },
  });
  expect(await api('POST', `${biller.store}/webhook-endpoints`, { url: 'https://a.example', events: ['invoice.eaten'] })).toMatchObject({
    status: 400,
  });
  for (let made = 1; made < 10; made++) expectSuccess(await create(`https://shop.example/${made}`));
  expect(await create('https://shop.example/11')).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
});

test('sends nothing to a deleted endpoint, deletes its secrets, and hides it from other stores', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  const stranger = await anotherBiller(first);
  const theirs = `${stranger.store}/webhook-endpoints/${hook.id}`;
  expect(await stranger.merchant.api('GET', `${theirs}/deliveries`)).toMatchObject({ status: 404 });
  expect(await stranger.merchant.api('PATCH', theirs, { is_enabled: false })).toMatchObject({ status: 404 });
  expect(await stranger.merchant.api('POST', `${theirs}/rotate-secret`, {})).toMatchObject({ status: 404 });
  await sell(biller);
  expect((await hook.call('DELETE')).status).toBe(204);
  await lookAt(0);
  expect(hook.taken()).toEqual([]);
  expect((await hook.call('DELETE')).status).toBe(404);
  const { database, storeId } = biller.merchant;
  expect(await database.all(sql`select 1 from webhook_secrets where store_id = ${storeId}`)).toEqual([]);
  expect(await database.all(sql`select 1 from event_listeners where store_id = ${storeId}`)).toEqual([]);
  expect(readPublicId('wh', hook.id)).not.toBeNull();
});
