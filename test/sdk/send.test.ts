import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createTributary, type Conversion, type TributaryOptions } from '../../sdk/src/tributary.ts';
import { answeringServer, away, recorded, refusal, type Deed } from './answering-server.ts';

const postbackKey = 'pbk_secret-that-nobody-may-see';
const trackingKey = 'trk_1';
const limits = { firstPauseMs: 2, timeoutMs: 2_000 };
const order: Conversion = { orderId: '1001', clickId: 'rmc_abc', orderSubtotalCents: 10_005 };

const servers: Array<{ readonly close: () => void }> = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function before(deeds: readonly Deed[], options: Partial<TributaryOptions> = {}) {
  const server = await answeringServer(...deeds);
  servers.push(server);
  return { ...server, tributary: createTributary({ baseUrl: server.url, trackingKey, postbackKey, limits, ...options }) };
}

test.each<readonly [string, Deed]>([
  ['a 503', away],
  ['a 500 with a generic reason', refusal(500, 'internal_error')],
  ['a connection that is reset', 'reset'],
  ['a truncated answer', 'reset while answering'],
  ['no answer in time', 'silence'],
  ['an HTML 502 of a proxy', { status: 502, text: '<html><h1>502 Bad Gateway</h1></html>' }],
  ['an HTML page with status 200 of a proxy', { status: 200, text: '<html>Back soon!</html>' }],
])('after %s it resends the same bytes including the time, and the second answer counts', async (_what, deed) => {
  const { tributary, received } = await before([deed, deed, recorded]);
  const result = await tributary.conversions.record(order);
  expect(result).toMatchObject({ ok: true, retry: 'no', reason: 'recorded', attempts: 3, transactionId: 'ord_1', conversionId: 'com_1' });
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body, path, key }) => `${path} ${key} ${body}`)).size).toBe(1);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ order_id: '1001', occurred_at: expect.stringMatching(/^\d{4}-.+\.\d{3}Z$/) });
});

test.each<readonly [number, string]>([
  [400, 'invalid_payload'],
  [401, 'invalid_postback_key'],
  [403, 'integration_disabled'],
  [404, 'unknown_order'],
  [409, 'duplicate_order_conflict'],
  [410, 'test_link_expired'],
  [413, 'payload_too_large'],
  [422, 'referral_click_already_converted'],
  [429, 'too_many_requests'],
  [500, 'duplicate_event'],
])('%i %s is final', async (status, reason) => {
  const { tributary, received } = await before([refusal(status, reason)]);
  expect(await tributary.conversions.record(order)).toMatchObject({
    ok: false,
    outcome: 'refused',
    retry: 'no',
    status,
    reason,
    attempts: 1,
  });
  expect(received).toHaveLength(1);
});

test('a final answer after a lost one ends the retries', async () => {
  const { tributary, received } = await before(['reset', refusal(500, 'duplicate_event')]);
  expect(await tributary.conversions.record(order)).toMatchObject({ retry: 'no', reason: 'duplicate_event', attempts: 2 });
  expect(received).toHaveLength(2);
});

test('a 4xx without JSON, as from a proxy, is final and named after its status', async () => {
  const { tributary, received } = await before([{ status: 403, text: '<html>Forbidden</html>' }]);
  expect(await tributary.conversions.record(order)).toMatchObject({ ok: false, retry: 'no', status: 403, reason: 'http_403' });
  expect(received).toHaveLength(1);
});

test('returns active_hold as "tomorrow", with the bytes to send then', async () => {
  const { tributary, received } = await before([refusal(500, 'active_hold'), recorded]);
  const held = await tributary.conversions.reverse({ orderId: '1001' });
  expect(held).toMatchObject({ ok: false, outcome: 'held', retry: 'tomorrow', retryAfterMs: 86_400_000, attempts: 1 });
  if (held.retry !== 'tomorrow') throw new Error('it is held');
  expect(await tributary.send(held.postback)).toMatchObject({ ok: true });
  expect(received[1]?.body).toBe(received[0]?.body);
});

test('does not follow a redirect, so that the key is not sent to another address', async () => {
  const elsewhere = await before([recorded]);
  for (const status of [301, 302, 303, 307, 308]) {
    const { tributary, received } = await before([{ status, text: '', headers: { location: `${elsewhere.url}/thief` } }]);
    expect(await tributary.conversions.record(order)).toMatchObject({ ok: false, retry: 'no', reason: 'unexpected_redirect', status });
    expect(received).toHaveLength(1);
  }
  expect(elsewhere.received).toEqual([]);
});

test('waits for Retry-After, in seconds and as a date', async () => {
  const inThreeSeconds = () => new Date(Date.now() + 3_000).toUTCString();
  for (const [header, leastMs] of [[() => '1', 1_000] as const, [inThreeSeconds, 1_500] as const]) {
    const { tributary, received } = await before([{ status: 503, json: {}, headers: { 'retry-after': header() } }, recorded]);
    expect(await tributary.conversions.record(order)).toMatchObject({ ok: true, attempts: 2 });
    expect((received[1]?.atMs ?? 0) - (received[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(leastMs - 20);
  }
});

test('returns "later" for a Retry-After that exceeds the deadline', async () => {
  const { tributary, received } = await before([{ status: 503, json: {}, headers: { 'retry-after': '3600' } }]);
  expect(await tributary.conversions.record(order)).toMatchObject({
    retry: 'later',
    retryAfterMs: 3_600_000,
    reason: 'http_503',
    attempts: 1,
  });
  expect(received).toHaveLength(1);
});

test('the pauses are random and grow', async () => {
  const firstPauseMs = 40;
  const draws: number[] = [];
  // Uses real randomness of the platform: checking the distribution itself would take hundreds of runs on a slow machine.
  const { random } = Math;
  onTestFinished(() => void (Math.random = random));
  Math.random = () => draws.shift() ?? random();
  const pausesOf = async (...drawn: readonly number[]) => {
    draws.splice(0, draws.length, ...drawn);
    const { tributary, received } = await before([away, away, away, recorded], { limits: { firstPauseMs } });
    await tributary.conversions.record(order);
    return received.slice(1).map(({ atMs }, place) => atMs - (received[place]?.atMs ?? 0));
  };
  const all: Array<readonly number[]> = [];
  for (let run = 0; run < 6; run += 1) all.push(await pausesOf(0.9, 0, 0.9));
  const shortest = (place: number) => Math.min(...all.map((pauses) => pauses[place] ?? 0));
  const drawnMs = (attempts: number) => 0.9 * firstPauseMs * 2 ** attempts;
  // A timer may be early by a fraction of a millisecond; it may be late, but not in all six cases.
  expect(shortest(0)).toBeGreaterThan(drawnMs(1) - 2);
  expect(shortest(0)).toBeLessThan(drawnMs(2));
  expect(shortest(1)).toBeLessThan(drawnMs(1));
  expect(shortest(2)).toBeGreaterThan(drawnMs(3) - 2);
  expect(shortest(2)).toBeLessThan(drawnMs(4));
});

test('returns the report with its bytes when all tries fail, and throws nothing', async () => {
  const { tributary, received } = await before([away]);
  const result = await tributary.conversions.record(order);
  expect(result).toMatchObject({ ok: false, outcome: 'unavailable', retry: 'later', reason: 'temporarily_unavailable', attempts: 5 });
  expect(result.retry === 'later' && result.postback).toEqual({ operation: 'conversion', body: received[0]?.body });
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, resolve));
  const address = closed.address();
  await new Promise((resolve) => closed.close(resolve));
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const alone = createTributary({ baseUrl, trackingKey, postbackKey, limits });
  expect(await alone.conversions.record(order)).toMatchObject({ ok: false, retry: 'later', reason: 'network_error', status: null });
});

test('returns a result by the deadline, however many tries remain and however long one may take', async () => {
  for (const deed of [away, 'silence'] as const) {
    const { tributary, received } = await before([deed], {
      limits: { attemptsMax: 1_000, deadlineMs: 200, timeoutMs: 60_000, firstPauseMs: 40 },
    });
    const startedMs = performance.now();
    expect(await tributary.conversions.record(order)).toMatchObject({ retry: 'later' });
    // A single try may take 60 seconds.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(received.length).toBeLessThan(100);
  }
});

test('the key appears in no print, no JSON, no error and no result', async () => {
  const { tributary } = await before(['reset', refusal(401, 'invalid_postback_key')]);
  const refused = await tributary.conversions.record(order);
  const shown = [tributary, tributary.conversions, refused].flatMap((value) => [
    inspect(value, { depth: 9, showHidden: true }),
    JSON.stringify(value),
  ]);
  for (const broken of [`${postbackKey}\r\nX: 1`, `${postbackKey} `, `${postbackKey}é`]) {
    try {
      createTributary({ baseUrl: 'https://a.example', trackingKey, postbackKey: broken });
      shown.push(`taken: ${broken}`);
    } catch (error) {
      shown.push(inspect(error));
    }
  }
  expect(shown.filter((text) => text.includes('secret'))).toEqual([]);
});

test.each([
  ['an invalid address', { baseUrl: 'partners' }],
  ['plain http to another machine', { baseUrl: 'http://partners.example' }],
  ['an address with a password', { baseUrl: 'https://a:b@partners.example' }],
  ['no tracking key', { trackingKey: '' }],
  ['no postback key', { postbackKey: '' }],
  ['one key for both', { postbackKey: trackingKey }],
])('rejects %s at setup with a readable message', (_what, options) => {
  expect(() => createTributary({ baseUrl: 'https://partners.example', trackingKey, postbackKey, ...options })).toThrow(/^Tributary: /);
});

test.each(['document', 'importScripts'])('refuses to run where a global %s exists, as in a browser', (name) => {
  Object.defineProperty(globalThis, name, { value: {}, configurable: true });
  try {
    expect(() => createTributary({ baseUrl: 'https://partners.example', trackingKey, postbackKey })).toThrow('on a server only');
  } finally {
    Reflect.deleteProperty(globalThis, name);
  }
});
