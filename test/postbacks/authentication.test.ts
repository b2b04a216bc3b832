import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  bearer,
  conversions,
  expectRefusal,
  startPostbackEndpoint,
  postbackText,
  type TestEndpoint,
} from '../support/postback-endpoint.ts';
import { ask, requestText, talk, type RawAnswer } from '../support/raw-socket.ts';
import { within } from '../support/size.ts';

let endpoint: TestEndpoint;
beforeEach(async () => {
  endpoint = await startPostbackEndpoint();
});
afterEach(() => endpoint.close());

test('the handler gets the report, the bytes, and what the tracking log needs', async () => {
  const body = '{ "order_id": "1", "order_id": "é" }';
  await endpoint.send({ body, headers: { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site', 'Request-Id': 'merchant-0001' } });
  expect(endpoint.world.postbacks).toMatchObject([
    {
      operation: 'conversion',
      integration: { storeName: 'Open' },
      json: { order_id: 'é' },
      bytes: Buffer.from(body),
      // The id that a merchant sends is not a trusted proxy's.
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receivedAt: new Date('2026-03-01T12:00:00Z'),
      origin: 'https://shop.example',
      secFetchSite: 'cross-site',
    },
  ]);
});

test('a reply has its keys in order, and a replay is marked as one', async () => {
  expect((await endpoint.send())?.text).toMatch(
    /^\{"ok":true,"reason":"recorded","transaction_id":"ord_1","conversion_id":"com_1","message":"[^"]+"\}$/,
  );
  endpoint.world.handle = async () => ({ reason: 'duplicate_order', ids: { transaction_id: 'ord_1' }, isReplay: true, isLogged: true });
  expect(await endpoint.send()).toMatchObject({
    status: 200,
    headers: { 'idempotent-replayed': 'true' },
    json: { ok: true, reason: 'duplicate_order' },
  });
  endpoint.world.handle = async () => ({ reason: 'invalid_payload', field: '/order_id', message: 'order_id is required.' });
  expect((await endpoint.send())?.text).toBe(
    '{"ok":false,"reason":"invalid_payload","message":"order_id is required.","field":"/order_id","retry":"never"}',
  );
  expect((await endpoint.send())?.headers['idempotent-replayed']).toBeUndefined();
});

test('an unknown click is 422 in a conversion and 404 in a bind', async () => {
  endpoint.world.handle = async () => ({ reason: 'unknown_referral_click', isLogged: true });
  expectRefusal(await endpoint.send(), 422, 'unknown_referral_click');
  expectRefusal(
    await endpoint.send({ path: '/api/partner-network/postbacks/open/v2/recurring/relationships' }),
    404,
    'unknown_referral_click',
  );
});

test('logs a reply only if its handler did not log it', async () => {
  await endpoint.send();
  expect(endpoint.world.logged).toEqual([]);
  endpoint.world.handle = async () => ({ reason: 'missing_referral_click' });
  await endpoint.send();
  expect(endpoint.world.logged).toMatchObject([{ operation: 'conversion', status: 422, outcome: { reason: 'missing_referral_click' } }]);
  expect(endpoint.world.logged[0]?.latencyMs).toBeGreaterThan(0);
});

test('logs rejected requests of a closed store', async () => {
  await endpoint.send({ path: conversions.replace('open', 'archived') });
  expect(endpoint.world.logged).toMatchObject([{ status: 403, integration: { storeName: 'Archived' }, bytes: null }]);
});

function expectComeAgain(answer: RawAnswer | null, reason = 'temporarily_unavailable'): void {
  expectRefusal(answer, 503, reason);
  expect(answer).toMatchObject({ headers: { 'retry-after': '2' }, json: { retry: 'backoff' } });
}

test('answers 503, never 401, while the database is unavailable', async () => {
  endpoint.world.isDatabaseAway = true;
  expectComeAgain(await endpoint.send());
  expectComeAgain(await endpoint.send({ headers: { Authorization: 'Bearer bad' } }));
  expect(endpoint.world.unauthenticated).toEqual(['temporarily_unavailable', 'temporarily_unavailable']);
  expect(endpoint.world.errors).toHaveLength(2);
});

test('answers 503 if a handler fails or the log cannot be written', async () => {
  endpoint.world.handle = async () => Promise.reject(new Error('no'));
  expectComeAgain(await endpoint.send());
  endpoint.world.isLogAway = true;
  expectComeAgain(await endpoint.send({ body: '[]' }));
  expectComeAgain(await endpoint.send({ path: conversions.replace('open', 'archived') }));
  endpoint.world.handle = async () => ({ reason: 'pricing_history_unavailable' });
  expectComeAgain(await endpoint.send(), 'pricing_history_unavailable');
  expect(endpoint.world.errors).toHaveLength(3);
  expect(endpoint.world.logged).toEqual([]);
});

test('answers 503 with Retry-After over capacity, after path and method and before the key', async () => {
  endpoint.world.isFull = true;
  const full = await ask(endpoint.port, requestText('POST', conversions, { headers: { 'Content-Length': '16000' } }));
  expectRefusal(full, 503, 'temporarily_unavailable');
  expect(full).toMatchObject({ headers: { 'retry-after': '7' } });
  expectRefusal(await endpoint.send({ method: 'GET' }), 405, 'method_not_allowed');
  expectRefusal(await endpoint.send({ path: `${conversions}/` }), 404, 'not_found');
  expect(endpoint.world.lookups).toEqual([]);
});

test('answers within 5 seconds even if a dependency hangs', async () => {
  const startedAt = Date.now();
  endpoint.world.lookupMs = Number.POSITIVE_INFINITY;
  const hanging = endpoint.send();
  await wait(50);
  endpoint.world.lookupMs = 0;
  endpoint.world.handle = () => new Promise(() => {});
  for (const answer of await Promise.all([hanging, endpoint.send()])) expectComeAgain(answer);
  expect(Date.now() - startedAt).toBeLessThan(within(5_000));
  expect(endpoint.world.errors).toHaveLength(2);
});

test('closes the socket of a slow body without a status and without a log entry', async () => {
  for (const framing of [{ 'Content-Length': '100' }, { 'Transfer-Encoding': 'chunked' }]) {
    const talking = await talk(endpoint.port);
    talking.write(requestText('POST', conversions, { headers: { ...bearer, ...framing } }));
    expect(await talking.isClosed()).toBe(true);
    expect(talking.received()).toBe('');
  }
  expect([endpoint.world.postbacks, endpoint.world.logged, endpoint.world.errors]).toEqual([[], [], []]);
});

test('answers malformed chunks with 400, and logs them after authentication', async () => {
  const inChunks = requestText('POST', conversions, { headers: { ...bearer, 'Transfer-Encoding': 'chunked' } });
  const late = await talk(endpoint.port);
  late.write(inChunks);
  await wait(50);
  late.write('zz\r\n');
  expectRefusal(await late.answer(), 400, 'bad_request');
  expect(await late.isClosed()).toBe(true);
  late.close();
  expect(endpoint.world.logged).toMatchObject([{ status: 400, outcome: { reason: 'bad_request' } }]);

  endpoint.world.lookupMs = 100;
  const early = await talk(endpoint.port);
  early.write(Buffer.concat([inChunks, Buffer.from('zz\r\n')]));
  expectRefusal(await early.answer(), 400, 'bad_request');
  await wait(200);
  expect([endpoint.world.postbacks, endpoint.world.logged, endpoint.world.errors].map((list) => list.length)).toEqual([0, 1, 0]);
  early.close();
});

test('a body shorter than announced is 400 when the sender closes its side, and the connection ends', async () => {
  const talking = await talk(endpoint.port);
  talking.write(requestText('POST', conversions, { headers: { ...bearer, 'Content-Length': '100' }, body: '{}' }));
  await wait(50);
  talking.finish();
  const answer = await talking.answer();
  expectRefusal(answer, 400, 'bad_request');
  expect(answer?.headers['connection']).toBe('close');
  expect(endpoint.world.logged).toMatchObject([{ status: 400, outcome: { reason: 'bad_request' } }]);
});

test('a sender that disconnects during the look-up leaves no log entry', async () => {
  // Long enough that the sender disconnects during the look-up, also on a busy machine.
  endpoint.world.lookupMs = 1_500;
  const talking = await talk(endpoint.port);
  talking.write(requestText('POST', conversions, { headers: { ...bearer, 'Content-Length': '100' } }));
  await wait(50);
  talking.close();
  await wait(1_800);
  expect([endpoint.world.postbacks, endpoint.world.logged, endpoint.world.errors]).toEqual([[], [], []]);
});

test('sends 100 Continue only after the key and size checks', async () => {
  const expecting = { Expect: '100-continue', 'Content-Type': 'application/json' };
  const good = await talk(endpoint.port);
  good.write(requestText('POST', conversions, { headers: { ...expecting, ...bearer, 'Content-Length': '2' } }));
  expect(await good.answer()).toMatchObject({ status: 100 });
  good.write('{}');
  expect(await good.answer()).toMatchObject({ status: 200 });
  good.close();
  expectRefusal(
    await ask(endpoint.port, requestText('POST', conversions, { headers: { ...expecting, 'Content-Length': '2' } })),
    401,
    'missing_postback_key',
  );
  const large = { ...expecting, ...bearer, 'Content-Length': '16385' };
  expectRefusal(await ask(endpoint.port, requestText('POST', conversions, { headers: large })), 413, 'payload_too_large');
});

test('rejected and accepted requests share a connection', async () => {
  const talking = await talk(endpoint.port);
  const sent = [
    postbackText({ headers: { Authorization: 'Bearer bad' } }),
    postbackText({ body: '[]' }),
    postbackText({ body: '{' }),
    postbackText(),
  ];
  talking.write(Buffer.concat(sent));
  const answers = [];
  for (const _ of sent) answers.push(await talking.answer());
  expect(answers.map((answer) => answer?.json?.['reason'])).toEqual([
    'invalid_postback_key',
    'invalid_payload',
    'json_required',
    'recorded',
  ]);
  talking.close();
});

test('401 names the scheme it wants', async () => {
  expect((await endpoint.send({ headers: { Authorization: null } }))?.headers['www-authenticate']).toBe('Bearer');
});
