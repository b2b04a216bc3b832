import { afterEach, beforeEach, expect, test } from 'vitest';
import { bearer, conversions, expectRefusal, startPostbackEndpoint, type TestEndpoint, type Sent } from '../support/postback-endpoint.ts';
import { ask, chunked, requestText, talk } from '../support/raw-socket.ts';

let endpoint: TestEndpoint;
beforeEach(async () => {
  endpoint = await startPostbackEndpoint();
});
afterEach(() => endpoint.close());

const full = 'x'.repeat(16_385);
// Each row also breaks every gate below it.
const anyLength = { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' };
const ladder: ReadonlyArray<readonly [status: number, reason: string, sent: Sent]> = [
  [
    404,
    'not_found',
    { path: '/api/partner-network/postbacks/open/nothing', method: 'GET', headers: { Authorization: null, ...anyLength }, body: full },
  ],
  [405, 'method_not_allowed', { method: 'PUT', headers: { Authorization: null, ...anyLength }, body: full }],
  [
    401,
    'missing_postback_key',
    { path: conversions.replace('open', 'archived'), headers: { Authorization: null, ...anyLength }, body: full },
  ],
  [
    401,
    'invalid_postback_key',
    { path: conversions.replace('open', 'archived'), headers: { Authorization: 'Bearer bad', ...anyLength }, body: full },
  ],
  [403, 'store_archived', { path: conversions.replace('open', 'archived'), headers: anyLength, body: full }],
  [403, 'integration_disabled', { path: conversions.replace('open', 'disabled'), headers: anyLength, body: full }],
  [413, 'payload_too_large', { headers: anyLength, body: full }],
  [400, 'json_required', { headers: { 'Content-Type': 'text/plain' }, body: '[' }],
  [400, 'json_required', { headers: { 'Content-Encoding': 'gzip' }, body: '[]' }],
  [400, 'json_required', { body: '[' }],
  [400, 'invalid_payload', { body: '[]' }],
];
for (const [row, [status, reason, sent]] of ladder.entries()) {
  test(`row ${row + 1}: ${status} ${reason} comes before all later checks`, async () => {
    expectRefusal(await endpoint.send(sent), status, reason);
    expect(endpoint.world.postbacks).toEqual([]);
  });
}

const otherPaths = [
  '/api/partner-network/',
  '/api/partner-network/postbacks',
  '/api/partner-network/postbacks/open',
  '/api/partner-network/postbacks/open/',
  `${conversions}/`,
  `${conversions}/1`,
  conversions.replace('conversions', 'Conversions'),
  conversions.replace('/postbacks', '//postbacks'),
  conversions.replace('/open/', '//'),
  conversions.replace('/open/', '/open//'),
  conversions.replace('/conversions', '%2Fconversions'),
  conversions.replace('/postbacks/', '/v2/postbacks/'),
  '/api/partner-network/postbacks/open/v2/recurring/conversions',
  '/api/partner-network/postbacks/open/relationships',
  '/api/partner-network/postbacks/open/v2/recurring/relationships/end/',
];
for (const path of otherPaths) {
  test(`${path} is another path, for every method`, async () => {
    for (const method of ['POST', 'GET', 'PUT', 'OPTIONS', 'PROPFIND', 'FROB'])
      expectRefusal(await endpoint.send({ path, method }), 404, 'not_found');
    expect(endpoint.world.lookups).toEqual([]);
  });
}

test('answers 405 with Allow: POST to every other method, without reading the key', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'FROB']) {
    const answer = await endpoint.send({ method });
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer?.headers['allow']).toBe('POST');
  }
  const talking = await talk(endpoint.port);
  talking.write(requestText('HEAD', conversions, { headers: { Connection: 'close' } }));
  expect(await talking.isClosed()).toBe(true);
  expect(talking.received()).toMatch(/^HTTP\/1.1 405 [\s\S]*allow: POST\r\n[\s\S]*\r\n\r\n$/);
  expect(endpoint.world.lookups).toEqual([]);
});

test('sends no CORS header to a preflight request', async () => {
  const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
  expectRefusal(await endpoint.send({ method: 'OPTIONS', headers }), 405, 'method_not_allowed');
});

const knocks: ReadonlyArray<readonly [what: string, headers: Readonly<Record<string, string | null>>, reason: string]> = [
  ['a Bearer', { Authorization: 'Bearer good' }, 'recorded'],
  ['a bearer in lower case, after two spaces', { Authorization: 'bearer  good' }, 'recorded'],
  ['the own header', { Authorization: null, 'X-Service-Postback-Key': 'good' }, 'recorded'],
  ['the own header beside another scheme', { Authorization: 'Basic Zm9vOmJhcg==', 'X-Service-Postback-Key': 'good' }, 'recorded'],
  ['the own header beside a Bearer without a token', { Authorization: 'Bearer ', 'X-Service-Postback-Key': 'good' }, 'recorded'],
  ['a wrong Bearer beside the right own header', { Authorization: 'Bearer bad', 'X-Service-Postback-Key': 'good' }, 'invalid_postback_key'],
  ['a right Bearer beside a wrong own header', { Authorization: 'Bearer good', 'X-Service-Postback-Key': 'bad' }, 'recorded'],
  ['a Bearer without a token', { Authorization: 'Bearer' }, 'missing_postback_key'],
  ['another scheme', { Authorization: 'Basic good' }, 'missing_postback_key'],
  ['an empty own header', { Authorization: null, 'X-Service-Postback-Key': '' }, 'missing_postback_key'],
  [
    'two own headers at once',
    { Authorization: null, 'X-Service-Postback-Key': 'good\r\nX-Service-Postback-Key: good' },
    'invalid_postback_key',
  ],
  ['a key with another character after it', { Authorization: 'Bearer good x' }, 'invalid_postback_key'],
];
for (const [what, headers, reason] of knocks) {
  test(`${what}: ${reason}`, async () => {
    const answer = await endpoint.send({ headers });
    if (reason === 'recorded') return expect(answer).toMatchObject({ status: 200, json: { reason } });
    expectRefusal(answer, 401, reason);
    expect(endpoint.world.unauthenticated).toEqual([reason]);
  });
}

test('a wrong key, an unknown tracking key, and an invalid one get the same body', async () => {
  const bodies = [];
  for (const path of [
    conversions,
    ...['nobody', '%00', 'a%2Fb', 'k'.repeat(5_000), '%F0%9F%98%80'].map((key) => conversions.replace('open', key)),
  ]) {
    const answer = await endpoint.send({ path, headers: { Authorization: 'Bearer bad' } });
    expectRefusal(answer, 401, 'invalid_postback_key');
    bodies.push(answer?.text);
  }
  expect(new Set(bodies).size).toBe(1);
  // What no database could hold is not asked for.
  expect(endpoint.world.lookups).toEqual(['open', 'nobody', 'a/b']);
});

const maxBody = JSON.stringify({ order_id: 'x'.repeat(16_384 - 15) });
test('reads a body of 16,384 bytes, with or without Content-Length', async () => {
  expect(Buffer.byteLength(maxBody)).toBe(16_384);
  expect(await endpoint.send({ body: maxBody })).toMatchObject({ status: 200 });
  const inChunks = { 'Content-Length': null, 'Transfer-Encoding': 'chunked' };
  expect(await endpoint.send({ headers: inChunks, body: chunked(maxBody.slice(0, 9_000), maxBody.slice(9_000)) })).toMatchObject({
    status: 200,
  });
  expect(endpoint.world.postbacks.map(({ bytes }) => bytes.length)).toEqual([16_384, 16_384]);
});

test('a body of 16,385 bytes is 413 on its Content-Length alone, and when its chunks exceed it', async () => {
  const announced = await ask(endpoint.port, requestText('POST', conversions, { headers: { ...bearer, 'Content-Length': '16385' } }));
  expectRefusal(announced, 413, 'payload_too_large');
  expect(announced?.headers['connection']).toBe('close');
  const inChunks = { 'Content-Length': null, 'Transfer-Encoding': 'chunked' };
  const endless = await talk(endpoint.port);
  endless.write(requestText('POST', conversions, { headers: { ...bearer, ...inChunks } }));
  endless.write(chunked(maxBody, ' ').slice(0, -5));
  expectRefusal(await endless.answer(), 413, 'payload_too_large');
  expect(await endless.isClosed()).toBe(true);
  endless.close();
  expect(endpoint.world.logged.map(({ status, outcome, bytes }) => [status, outcome.reason, bytes])).toEqual(
    [1, 2].map(() => [413, 'payload_too_large', null]),
  );
});

const bodies: ReadonlyArray<readonly [what: string, sent: Sent, reason: string]> = [
  ['no Content-Type', { headers: { 'Content-Type': null } }, 'recorded'],
  ['an empty Content-Type', { headers: { 'Content-Type': '' } }, 'recorded'],
  ['application/json in capitals with a charset', { headers: { 'Content-Type': 'Application/JSON; charset=iso-8859-1' } }, 'recorded'],
  ['application/vnd.x+json', { headers: { 'Content-Type': 'application/vnd.x+json; charset=utf-8' } }, 'recorded'],
  ['identity encoding', { headers: { 'Content-Encoding': 'Identity' } }, 'recorded'],
  ['text/plain', { headers: { 'Content-Type': 'text/plain' } }, 'json_required'],
  ['text/json', { headers: { 'Content-Type': 'text/json' } }, 'json_required'],
  ['a form', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 'json_required'],
  ['application/jsonp', { headers: { 'Content-Type': 'application/jsonp' } }, 'json_required'],
  ['application/+json', { headers: { 'Content-Type': 'application/+json' } }, 'json_required'],
  ['a type that is none', { headers: { 'Content-Type': 'json' } }, 'json_required'],
  ['gzip', { headers: { 'Content-Encoding': 'gzip' } }, 'json_required'],
  ['an empty body', { body: '' }, 'json_required'],
  ['an empty body without a type', { body: '', headers: { 'Content-Type': null } }, 'json_required'],
  ['no body and no length', { body: '', headers: { 'Content-Type': null, 'Content-Length': null } }, 'json_required'],
  ['white space', { body: ' \n' }, 'json_required'],
  ['a byte-order mark', { body: '\uFEFF{}' }, 'json_required'],
  ['UTF-16', { body: Buffer.from('{}', 'utf16le') }, 'json_required'],
  ['a byte that is not UTF-8', { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }, 'json_required'],
  ['an overlong encoding', { body: Buffer.from([0x22, 0xc0, 0xaf, 0x22]) }, 'json_required'],
  ['a surrogate in UTF-8', { body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) }, 'json_required'],
  ['a trailing comma', { body: '{"a":1,}' }, 'json_required'],
  ['NaN', { body: '{"a":NaN}' }, 'json_required'],
  ['two values', { body: '{}{}' }, 'json_required'],
  ['a number', { body: '1' }, 'invalid_payload'],
  ['null', { body: 'null' }, 'invalid_payload'],
  ['an array', { body: '[{}]' }, 'invalid_payload'],
  ['nesting of 32', { body: `${'{"a":'.repeat(31)}{}${'}'.repeat(31)}` }, 'recorded'],
  ['nesting of 33', { body: `${'{"a":'.repeat(32)}{}${'}'.repeat(32)}` }, 'invalid_payload'],
  ['nesting of 8,000', { body: `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}` }, 'invalid_payload'],
];
for (const [what, sent, reason] of bodies) {
  test(`${what}: ${reason}`, async () => {
    const answer = await endpoint.send(sent);
    if (reason === 'recorded') return expect(answer).toMatchObject({ status: 200, json: { ok: true, reason } });
    expectRefusal(answer, 400, reason);
    expect(endpoint.world.logged.map((line) => [line.outcome.reason, line.integration.storeName])).toEqual([[reason, 'Open']]);
    expect(endpoint.world.logged[0]?.bytes).toEqual(Buffer.from(sent.body ?? '{"order_id":"1"}'));
  });
}
