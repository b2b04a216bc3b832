import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { readPublicId } from '../../src/platform/ids.ts';
import { dayMs, hourMs, realNow } from '../../src/platform/time.ts';
import { failingDaysMax, pausesMs } from '../../src/webhooks/decide-attempt.ts';
import { tendWebhooks } from '../../src/webhooks/tend.ts';
import { anotherBiller, good, type Biller } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { verified, webhookReceiver, type Receiver } from '../support/webhook-receiver.ts';

let receiver: Receiver;
let closed: Receiver;
let service: TestService;
let first: Merchant;
beforeAll(async () => {
  receiver = await webhookReceiver();
  closed = await webhookReceiver();
  // Without the queue, which would send by its own time what a test looks at by another.
  service = await startTestService({ OUTGOING_ALLOW: `${receiver.host},${closed.host}`, ROLE: 'web' });
  first = await openMerchant(service);
  await closed.close();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** By the real clock, as if it were so much later. */
const lookAt = (laterMs: number) => tendWebhooks(service.platform, new Date(realNow().getTime() + laterMs));

let paths = 0;
async function listening(shop: Biller, url?: string) {
  const path = `/hook-${(paths += 1)}`;
  const { api } = shop.merchant;
  const endpoints = `${shop.store}/webhook-endpoints`;
  const body = { url: url ?? receiver.url(path), events: ['commission.recorded', 'commission.held'] };
  const { json } = good(await api('POST', endpoints, body));
  const at = `${endpoints}/${json.id}`;
  return {
    path,
    secret: String(json.secret),
    id: String(json.id),
    call: (method: string, rest = '', asked?: unknown) => api(method, at + rest, asked),
    taken: () => receiver.taken(path),
    deliveries: async (): Promise<readonly Json[]> => good(await api('GET', `${at}/deliveries`)).json.data,
    one: async (id: string): Promise<Json> => good(await api('GET', `${at}/deliveries/${id}`)).json,
    standing: async (): Promise<Json> =>
      good(await api('GET', endpoints)).json.data.find(({ id }: { readonly id: string }) => id === json.id),
  };
}
const sell = (shop: Biller) => reviewerOf(shop.merchant).sale();

test('what is not taken is sent again, later each time, with the same id and the same bytes, until it is', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  let code = 500;
  receiver.answer(hook.path, (response) => response.writeHead(code, { location: receiver.url('/elsewhere') }).end('no\0 good'));
  await sell(shop);
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
  expect(receiver.taken('/elsewhere')).toEqual([]);
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

test('a receiver that is away, hangs or answers without end is a failure like any other, and holds up nobody else', async () => {
  const shop = await anotherBiller(first);
  const away = await listening(shop, closed.url('/'));
  const hanging = await listening(shop);
  const endless = await listening(shop);
  const quick = await listening(shop);
  receiver.answer(hanging.path, () => {});
  receiver.answer(endless.path, (response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(1_000)), 5);
    response.on('close', () => clearInterval(more));
  });
  await sell(shop);
  await lookAt(0);
  expect(quick.taken()).toHaveLength(1);
  expect((await away.deliveries())[0]).toMatchObject({
    state: 'waiting',
    last_status: null,
    last_fault: expect.stringContaining('could not be reached'),
  });
  expect((await hanging.deliveries())[0]).toMatchObject({ state: 'waiting', last_fault: expect.stringContaining('did not answer') });
  // It said that it took it; more of what it says is not read.
  const [ended] = await endless.deliveries();
  expect(ended).toMatchObject({ state: 'delivered', last_status: 200 });
  expect((await endless.one(ended.id)).attempts_made[0].answer).toHaveLength(1_000);
  // The others need not wait for it.
  await hanging.call('DELETE');
});

test('whoever else sends at the same time, each event is sent once', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  receiver.answer(hook.path, (response) => setTimeout(() => response.writeHead(200).end(), 20));
  for (let sold = 0; sold < 12; sold++) await sell(shop);
  await Promise.all([lookAt(0), lookAt(0), lookAt(0)]);
  expect(hook.taken()).toHaveLength(12);
  expect(new Set(hook.taken().map(({ id }) => id)).size).toBe(12);
});

test('an address that leads into a network of ours is refused as it connects: no byte arrives', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop, `https://localhost:${receiver.host.split(':')[1]}/private`);
  await sell(shop);
  await lookAt(0);
  expect(receiver.taken('/private')).toEqual([]);
  expect((await hook.deliveries())[0]).toMatchObject({
    state: 'waiting',
    last_fault: expect.stringContaining('not on the public internet'),
  });
});

test('a name that is moved to one of our machines after it was accepted is refused too', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop, 'https://hooks.example/private');
  const { database, storeId } = shop.merchant;
  const ours = `${service.url}/healthz`;
  await database.run(sql`update webhook_endpoints set url = ${ours} where store_id = ${storeId}`);
  await sell(shop);
  await lookAt(0);
  expect((await hook.deliveries())[0]).toMatchObject({
    last_status: null,
    last_fault: expect.stringContaining('not on the public internet'),
  });
});

test('while a secret takes the place of another, both are right; later only the new one', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  const rotated = good(await hook.call('POST', '/rotate-secret', {})).json;
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(Date.parse(rotated.previous_valid_until) - realNow().getTime()).toBeGreaterThan(23 * hourMs);
  await sell(shop);
  await lookAt(0);
  const [both] = hook.taken();
  if (!both) throw new Error('it was told');
  expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  verified(both, hook.secret);
  verified(both, rotated.secret);
  expect(await hook.call('POST', '/rotate-secret', {})).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
  await sell(shop);
  await lookAt(25 * hourMs);
  const [, later] = hook.taken();
  if (!later) throw new Error('it was told');
  expect(() => verified(later, hook.secret)).toThrow('No matching signature');
  verified(later, rotated.secret);
  const third = good(await hook.call('POST', '/rotate-secret', { previous_valid_hours: 0 })).json;
  expect(third.previous_valid_until).toBeNull();
  await sell(shop);
  await lookAt(25 * hourMs);
  const last = hook.taken().at(-1);
  if (!last) throw new Error('it was told');
  expect(() => verified(last, rotated.secret)).toThrow('No matching signature');
  verified(last, third.secret);
});

test('once a secret is taken back nothing more is signed with it, not even what was waiting in the same row', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  // While the first four wait for their answer, the secret is changed.
  let rotation: Promise<{ readonly json: Json }> | undefined;
  receiver.answer(hook.path, (response) => {
    rotation ??= hook.call('POST', '/rotate-secret', { previous_valid_hours: 0 });
    void rotation.then(() => response.writeHead(200).end());
  });
  for (let sold = 0; sold < 5; sold++) await sell(shop);
  await lookAt(0);
  const taken = hook.taken();
  expect(taken).toHaveLength(5);
  for (const one of taken.slice(0, 4)) verified(one, hook.secret);
  const [fifth] = taken.slice(4);
  if (!fifth) throw new Error('it was told');
  verified(fifth, (await rotation)?.json.secret);
  expect(() => verified(fifth, hook.secret)).toThrow('No matching signature');
});

test('one that takes nothing for days is switched off, its people are told, and nothing more is sent until they switch it on', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  receiver.answer(hook.path, (response) => response.writeHead(503).end());
  await sell(shop);
  await lookAt(0);
  expect(await hook.standing()).toMatchObject({ is_enabled: true, failing_since: expect.any(String) });
  await lookAt((failingDaysMax - 1) * dayMs);
  expect(await hook.standing()).toMatchObject({ is_enabled: true });
  await sell(shop);
  await lookAt((failingDaysMax + 0.01) * dayMs);
  expect(await hook.standing()).toMatchObject({ is_enabled: false, disabled_why: 'failing' });
  expect((await hook.deliveries()).map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(await shop.mails()).toEqual([expect.stringContaining('a webhook endpoint was switched off')]);
  const sent = hook.taken().length;
  await sell(shop);
  await lookAt(10 * dayMs);
  expect(hook.taken()).toHaveLength(sent);
  const [failed] = await hook.deliveries();
  expect(await hook.call('POST', `/deliveries/${failed.id}/resend`)).toMatchObject({ status: 409 });
  receiver.answer(hook.path, (response) => response.writeHead(200).end());
  expect(good(await hook.call('PATCH', '', { is_enabled: true })).json).toMatchObject({ is_enabled: true, failing_since: null });
  await lookAt(0);
  expect(hook.taken()).toHaveLength(sent);
  good(await hook.call('POST', `/deliveries/${failed.id}/resend`));
  await sell(shop);
  await lookAt(0);
  expect(hook.taken()).toHaveLength(sent + 2);
  expect(await hook.one(failed.id)).toMatchObject({ state: 'delivered' });
});

test('one that answers 410 is gone and is switched off at once', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  receiver.answer(hook.path, (response) => response.writeHead(410).end());
  await sell(shop);
  await lookAt(0);
  expect(await hook.standing()).toMatchObject({ is_enabled: false, disabled_why: 'gone' });
  expect(await shop.mails()).toHaveLength(1);
});

test('ten attempts are made over three days and then no more, unless somebody asks', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  receiver.answer(hook.path, (response) => response.writeHead(500).end());
  await sell(shop);
  let laterMs = 0;
  for (const pauseMs of [0, ...pausesMs, hourMs, dayMs]) await lookAt((laterMs += pauseMs + 1_000));
  const [delivery] = await hook.deliveries();
  expect(delivery).toMatchObject({ state: 'failed', attempts: pausesMs.length + 1 });
  receiver.answer(hook.path, (response) => response.writeHead(200).end());
  good(await hook.call('POST', `/deliveries/${delivery.id}/resend`));
  await lookAt(0);
  expect((await hook.deliveries())[0]).toMatchObject({ state: 'delivered', attempts: pausesMs.length + 2 });
});

test('a secret is shown once and kept sealed; an address must be good; there are at most ten', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  expect(JSON.stringify(await hook.standing())).not.toContain('whsec_');
  const { database, storeId, api } = shop.merchant;
  const [kept] = await database.all<{ secretSealed: Buffer }>(sql`select secret_sealed from webhook_secrets where store_id = ${storeId}`);
  expect(kept?.secretSealed.includes(hook.secret)).toBe(false);
  const create = (url: string) => api('POST', `${shop.store}/webhook-endpoints`, { url, events: ['invoice.paid'] });
  expect(await create('http://shop.example/')).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'url', message: 'must begin with https://' }] },
  });
  expect(await api('POST', `${shop.store}/webhook-endpoints`, { url: 'https://a.example', events: ['invoice.eaten'] })).toMatchObject({
    status: 400,
  });
  for (let made = 1; made < 10; made++) good(await create(`https://shop.example/${made}`));
  expect(await create('https://shop.example/11')).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
});

test('deleted, it is told nothing more, and what it knew is gone; to another store it never was', async () => {
  const shop = await anotherBiller(first);
  const hook = await listening(shop);
  const stranger = await anotherBiller(first);
  const theirs = `${stranger.store}/webhook-endpoints/${hook.id}`;
  expect(await stranger.merchant.api('GET', `${theirs}/deliveries`)).toMatchObject({ status: 404 });
  expect(await stranger.merchant.api('PATCH', theirs, { is_enabled: false })).toMatchObject({ status: 404 });
  expect(await stranger.merchant.api('POST', `${theirs}/rotate-secret`, {})).toMatchObject({ status: 404 });
  await sell(shop);
  expect((await hook.call('DELETE')).status).toBe(204);
  await lookAt(0);
  expect(hook.taken()).toEqual([]);
  expect((await hook.call('DELETE')).status).toBe(404);
  const { database, storeId } = shop.merchant;
  expect(await database.all(sql`select 1 from webhook_secrets where store_id = ${storeId}`)).toEqual([]);
  expect(await database.all(sql`select 1 from event_listeners where store_id = ${storeId}`)).toEqual([]);
  expect(readPublicId('wh', hook.id)).not.toBeNull();
});
