import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../../src/http/server.ts';
import { expectProblem, reportedErrors, json, plainServer, portOf, post } from '../support/plain-server.ts';
import { ask, chunked, requestText, talk } from '../support/raw-socket.ts';

const app = plainServer();
let port = 0;
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app);
});
afterAll(() => app.close());

const big = 'x'.repeat(20_000);

const refusedByParser: ReadonlyArray<readonly [what: string, bytes: string | Buffer, status: number, reason: string]> = [
  ['no Host', 'GET /things HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['two Hosts', 'GET /things HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'bad_request'],
  ['a header of 20 kB', requestText('GET', '/things', { headers: { 'X-Big': big } }), 431, 'headers_too_large'],
  ['an address of 20 kB', requestText('GET', `/${big}`), 431, 'headers_too_large'],
  ['a chunk size that is no number', post({ ...json, 'Transfer-Encoding': 'chunked' }, 'zz\r\n{}\r\n0\r\n\r\n'), 400, 'bad_request'],
  [
    'Transfer-Encoding and Content-Length',
    post({ ...json, 'Content-Length': '2', 'Transfer-Encoding': 'chunked' }, chunked('{}')),
    400,
    'bad_request',
  ],
  ['two Content-Lengths', `POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'bad_request'],
  ['a negative Content-Length', post({ ...json, 'Content-Length': '-1' }), 400, 'bad_request'],
  ['a space in a header name', 'GET /things HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n', 400, 'bad_request'],
  ['a bare line feed attack', 'GET /things HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n\r\n', 400, 'bad_request'],
  ['TLS on a plain port', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), 400, 'bad_request'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad_request'],
  ['HTTP/9.9', 'GET /things HTTP/9.9\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  ['a percent sign without digits', requestText('GET', '/things%'), 400, 'bad_request'],
  ['percent signs that are not UTF-8', requestText('GET', '/%ff'), 400, 'bad_request'],
  ['a percent sign below the contract', requestText('POST', '/api/partner-network/postbacks/%zz/conversions'), 400, 'bad_request'],
  ['an asterisk', requestText('OPTIONS', '*'), 404, 'not_found'],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 404, 'not_found'],
  ['an unknown method', requestText('FROB', '/things'), 405, 'method_not_allowed'],
  ['an unknown method on an unknown path', requestText('FROB', '/nothing'), 404, 'not_found'],
];
for (const [what, bytes, status, reason] of refusedByParser) {
  test(`${what} is answered ${status} ${reason} with JSON`, async () => expectProblem(await ask(port, bytes), status, reason));
}

const unrouted: ReadonlyArray<readonly [method: string, path: string, status: number, allow: string | undefined]> = [
  ['GET', '/nothing', 404, undefined],
  ['POST', '/nothing', 404, undefined],
  ['PROPFIND', '/nothing', 404, undefined],
  ['GET', '/things/', 404, undefined],
  ['GET', '//things', 404, undefined],
  ['GET', '/Things', 404, undefined],
  ['GET', '/a%2Fthings', 404, undefined],
  ['POST', '/pages/one', 404, undefined],
  ['DELETE', '/things', 405, 'GET, HEAD, POST'],
  ['OPTIONS', '/things', 405, 'GET, HEAD, POST'],
  ['TRACE', '/things', 405, 'GET, HEAD, POST'],
  ['PROPFIND', '/things', 405, 'GET, HEAD, POST'],
  ['POST', '/money?x=%', 405, 'GET, HEAD'],
];
for (const [method, path, status, allow] of unrouted) {
  test(`${method} ${path} is ${status}, before a byte of its body is read`, async () => {
    const answer = await ask(
      port,
      requestText(method, path, { headers: { ...json, 'Content-Length': '1000', 'Content-Encoding': 'gzip' } }),
    );
    expectProblem(answer, status, status === 404 ? 'not_found' : 'method_not_allowed');
    expect(answer?.headers['allow']).toBe(allow);
  });
}

test('HEAD on an unknown path has the headers of the reply and no body', async () => {
  const talking = await talk(port);
  talking.write(requestText('HEAD', '/nothing'));
  talking.write(requestText('HEAD', '/things', { headers: { Connection: 'close' } }));
  expect(await talking.isClosed()).toBe(true);
  expect(talking.received()).toMatch(/^HTTP\/1.1 404 [\s\S]*\r\n\r\nHTTP\/1.1 200 [\s\S]*\r\n\r\n$/);
});

const bodies: ReadonlyArray<readonly [what: string, bytes: Buffer, status: number, reason: string]> = [
  ['JSON', post({ ...json, 'Content-Length': '2' }, '{}'), 200, 'made'],
  ['JSON of another kind', post({ 'Content-Type': 'application/vnd.x+json; charset=utf-8', 'Content-Length': '2' }, '{}'), 200, 'made'],
  ['no body and no type', post({}), 200, 'made'],
  ['an empty form', post({ 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '0' }), 200, 'made'],
  ['an empty JSON body', post({ ...json, 'Content-Length': '0' }), 200, 'made'],
  ['a form', post({ 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '3' }, 'a=b'), 415, 'unsupported_media_type'],
  ['plain text', post({ 'Content-Type': 'text/plain', 'Content-Length': '2' }, '{}'), 415, 'unsupported_media_type'],
  ['a body without a type', post({ 'Content-Length': '2' }, '{}'), 415, 'unsupported_media_type'],
  ['a type that is none', post({ 'Content-Type': 'json', 'Content-Length': '2' }, '{}'), 415, 'unsupported_media_type'],
  ['a compressed body', post({ ...json, 'Content-Encoding': 'gzip', 'Content-Length': '2' }, '{}'), 415, 'unsupported_media_type'],
  ['a body announced as 1 MiB + 1', post({ ...json, 'Content-Length': '1048577' }), 413, 'payload_too_large'],
  [
    'a chunked body of 1 MiB + 1',
    post({ ...json, 'Transfer-Encoding': 'chunked' }, chunked('x'.repeat(1_048_577))),
    413,
    'payload_too_large',
  ],
];
for (const [what, bytes, status, reason] of bodies) {
  test(`${what} is answered ${status} ${reason}`, async () => {
    const answer = await ask(port, bytes);
    if (status === 200) expect(answer).toMatchObject({ status, json: { ok: true, reason } });
    else expectProblem(answer, status, reason);
  });
}

test('reports an internal error as 500, and an unavailable database as 503 with Retry-After', async () => {
  reportedErrors.length = 0;
  expectProblem(await ask(port, requestText('GET', '/bug')), 500, 'internal_error');
  const away = await ask(port, requestText('GET', '/away'));
  expectProblem(away, 503, 'temporarily_unavailable');
  expect(away?.headers['retry-after']).toBe('2');
  expect(reportedErrors).toHaveLength(2);
});

test('an error below the contract prefix has the format of the contract', async () => {
  const elsewhere = await ask(port, requestText('GET', '/nothing'));
  expect(Object.keys(elsewhere?.json ?? {})).toEqual(['ok', 'reason', 'message', 'errors']);
  const contract = await ask(port, requestText('GET', '/api/partner-network/nothing'));
  expect(Object.keys(contract?.json ?? {})).toEqual(['ok', 'reason', 'message', 'retry']);
  const absolute = await ask(port, requestText('GET', 'http://localhost/api/partner-network/%'));
  expect(Object.keys(absolute?.json ?? {})).toEqual(['ok', 'reason', 'message', 'field', 'retry']);
});

test('writes cents beyond 2^53 exactly, and times with milliseconds', async () => {
  const answer = await ask(port, requestText('GET', '/money'));
  expect(answer?.text).toContain('"cents":9007199254740993,"at":"1970-01-01T00:00:00.000Z"');
});

test('keeps a valid Request-Id, and mints another one otherwise', async () => {
  const idFor = async (given: string) =>
    (await ask(port, requestText('GET', '/who', { headers: { 'Request-Id': given } })))?.headers['request-id'];
  expect(await idFor('trace-0123.abc_9')).toBe('trace-0123.abc_9');
  for (const given of ['short', 'with space in it', '<script>alert(1)</script>', 'x'.repeat(65), '-begins-badly']) {
    expect(await idFor(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('a Request-Id is ignored unless a trusted proxy sends it', async () => {
  const alone = createServer({ trustedProxies: ['10.0.0.1'], problemFormats: [], isTemporary: () => false, onError: () => {} });
  alone.get('/who', async (request) => ({ id: request.id }));
  await alone.listen({ port: 0, host: '127.0.0.1' });
  const answer = await ask(portOf(alone), requestText('GET', '/who', { headers: { 'Request-Id': 'trace-0123.abc_9' } }));
  expect(answer?.headers['request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  await alone.close();
});

test('every reply, including those of the HTTP parser, forbids sniffing, framing, and scripts', async () => {
  const requests = [
    requestText('GET', '/who'),
    requestText('GET', '/nowhere'),
    'GET /who HTTP/1.1\r\n\r\n',
    'GET /who HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n',
    'NONSENSE\r\n\r\n',
  ];
  for (const request of requests) {
    expect((await ask(port, request))?.headers, String(request)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
    });
  }
});

test('sends HSTS only if the service is reached by https', async () => {
  const secure = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {}, isHttpsOnly: true });
  secure.get('/who', async () => ({}));
  await secure.listen({ port: 0, host: '127.0.0.1' });
  for (const path of ['/who', '/nowhere']) {
    const answer = await ask(portOf(secure), requestText('GET', path));
    expect(answer?.headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await ask(port, requestText('GET', path)))?.headers['strict-transport-security']).toBeUndefined();
  }
  await secure.close();
});

test('accepts X-Forwarded-For from trusted proxies only', async () => {
  const forwarded = requestText('GET', '/who', { headers: { 'X-Forwarded-For': '203.0.113.9' } });
  expect((await ask(port, forwarded))?.json?.['ip']).toBe('203.0.113.9');
  const alone = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {} });
  alone.get('/who', async (request) => ({ ip: request.ip }));
  await alone.listen({ port: 0, host: '127.0.0.1' });
  expect((await ask(portOf(alone), forwarded))?.json?.['ip']).toBe('127.0.0.1');
  await alone.close();
});

test('a handler may set the cache lifetime of its reply', async () => {
  expect((await ask(port, requestText('GET', '/cached')))?.headers['cache-control']).toBe('public, max-age=60');
});
