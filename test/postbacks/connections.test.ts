import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressesOf, expectProblem, json, plainServer, portOf, post } from '../support/plain-server.ts';
import { ask, requestText, talk } from '../support/raw-socket.ts';
import { within } from '../support/size.ts';

const app = plainServer();
const impatient = plainServer({ receiveMs: 1_500, receiveCheckMs: 50 });
let port = 0;
let impatientPort = 0;
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  await impatient.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app);
  impatientPort = portOf(impatient);
});
afterAll(async () => {
  await app.close();
  await impatient.close();
});

const expecting = { ...json, 'Content-Length': '2', Expect: '100-continue' };
const refusedEarly: ReadonlyArray<readonly [what: string, bytes: Buffer, status: number]> = [
  ['a body announced too large', post({ ...json, 'Content-Length': '5000000' }), 413],
  ['a large body for an unknown path', requestText('POST', '/nothing', { headers: { 'Content-Length': '5000000' } }), 404],
  ['a chunked body for an unknown path', requestText('POST', '/nothing', { headers: { 'Transfer-Encoding': 'chunked' } }), 404],
  ['a body sent although it was not invited', requestText('POST', '/nothing', { headers: expecting }), 404],
  ['headers without end', requestText('GET', `/${'x'.repeat(20_000)}`), 431],
  ['what is not HTTP', Buffer.from('not http at all\r\n\r\n'), 400],
];
for (const [what, bytes, status] of refusedEarly) {
  test(`${what}: a sender that reads only when it has sent all still reads the ${status}, and the connection ends`, async () => {
    const talking = await talk(port);
    const readOn = talking.holdReading();
    talking.write(bytes);
    // A server that had closed by now would answer these with a reset, and the client would throw away what it had not read.
    for (let piece = 0; piece < 4; piece++) {
      await wait(50);
      talking.write('10000\r\n'.padEnd(65_536 + 9, 'x'));
    }
    readOn();
    expect(await talking.answer()).toMatchObject({ status, headers: { connection: 'close' }, json: { ok: false } });
    expect(await talking.isClosed()).toBe(true);
    talking.close();
  });
}

test('serves the next request on the connection after rejecting one with a small unread body', async () => {
  const talking = await talk(port);
  talking.write(requestText('POST', '/nothing', { headers: { ...json, 'Content-Length': '5' } }));
  expectProblem(await talking.answer(), 404, 'not_found');
  talking.write('12345');
  talking.write(requestText('GET', '/things'));
  expect(await talking.answer()).toMatchObject({ status: 200 });
  talking.close();
});

test('keeps the connection after an unreadable body', async () => {
  const talking = await talk(port);
  talking.write(post({ 'Content-Type': 'text/plain', 'Content-Length': '2' }, '{}'));
  expect((await talking.answer())?.headers['connection']).not.toBe('close');
  talking.write(requestText('GET', '/things'));
  expect(await talking.answer()).toMatchObject({ status: 200 });
  talking.close();
});

test('the error for invalid HTTP does not overtake the reply to the previous request', async () => {
  const talking = await talk(port);
  talking.write(Buffer.concat([requestText('GET', '/slow'), Buffer.from('not http at all\r\n\r\n')]));
  const readOn = talking.holdReading();
  for (let piece = 0; piece < 10; piece++) {
    await wait(50);
    talking.write('and it continues\r\n\r\n');
  }
  readOn();
  expect(await talking.answer()).toMatchObject({ status: 200, json: { reason: 'slow' } });
  expectProblem(await talking.answer(), 400, 'bad_request');
  expect(await talking.isClosed()).toBe(true);
});

test('answers pipelined requests in order', async () => {
  const talking = await talk(port);
  talking.write(Buffer.concat([requestText('GET', '/slow'), requestText('GET', '/nothing'), requestText('GET', '/things')]));
  const answers = [await talking.answer(), await talking.answer(), await talking.answer()];
  expect(answers.map((answer) => answer?.json?.['reason'])).toEqual(['slow', 'not_found', 'found']);
  talking.close();
});

test('answers 400 to a body whose chunks are malformed halfway', async () => {
  const talking = await talk(port);
  talking.write(post({ ...json, 'Transfer-Encoding': 'chunked' }, '2\r\n{}\r\n'));
  await wait(50);
  talking.write('zz\r\n');
  expectProblem(await talking.answer(), 400, 'bad_request');
  expect(await talking.isClosed()).toBe(true);
});

test('answers 400 to a body shorter than announced when the sender closes its side', async () => {
  const talking = await talk(port);
  talking.write(post({ ...json, 'Content-Length': '10' }, '{}'));
  await wait(50);
  talking.finish();
  expectProblem(await talking.answer(), 400, 'bad_request');
  expect(await talking.isClosed()).toBe(true);
});

test('a client that closes its side after the request still gets its reply', async () => {
  const talking = await talk(port);
  talking.write(requestText('GET', '/slow'));
  talking.finish();
  expect(await talking.answer()).toMatchObject({ status: 200, json: { reason: 'slow' } });
  expect(await talking.isClosed()).toBe(true);
});

const slow: ReadonlyArray<readonly [what: string, bytes: string | Buffer]> = [
  ['a slow body', post({ ...json, 'Content-Length': '10' }, '{"a"')],
  ['a slow chunked body', post({ ...json, 'Transfer-Encoding': 'chunked' }, '2\r\n{}\r\n')],
  ['slow headers', 'GET /things HTTP/1.1\r\nHost: a\r\nX-Slo'],
  ['a silent connection', ''],
];
for (const [what, bytes] of slow) {
  test(`${what} is cut without a status`, async () => {
    const talking = await talk(impatientPort);
    talking.write(bytes);
    expect(await talking.isClosed()).toBe(true);
    expect(talking.received()).toBe('');
  });
}

test('an idle connection between two requests is not slow', async () => {
  const talking = await talk(impatientPort);
  talking.write(requestText('GET', '/things'));
  expect(await talking.answer()).toMatchObject({ status: 200, headers: { 'keep-alive': 'timeout=75' } });
  await wait(2_000);
  talking.write(requestText('GET', '/things'));
  expect(await talking.answer()).toMatchObject({ status: 200 });
  talking.close();
});

test('sends 100 Continue if the body is read, and the final status immediately if not', async () => {
  const invited = await talk(port);
  invited.write(post(expecting));
  expect(await invited.answer()).toMatchObject({ status: 100 });
  invited.write('{}');
  expect(await invited.answer()).toMatchObject({ status: 200, json: { reason: 'made', bytes: 2 } });
  invited.close();
  expectProblem(await ask(port, requestText('POST', '/nothing', { headers: expecting })), 404, 'not_found');
  expect(await ask(port, post({ ...json, 'Content-Length': '2', Expect: 'a miracle' }, '{}'))).toMatchObject({ status: 200 });
});

test('ignores an Upgrade header, with a body too', async () => {
  const upgrade = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQ' };
  expect(await ask(port, requestText('GET', '/things', { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }))).toMatchObject({
    status: 200,
  });
  expect(await ask(port, post({ ...json, ...upgrade, 'Content-Length': '2' }, '{}'))).toMatchObject({ status: 200, json: { bytes: 2 } });
  expectProblem(await ask(port, requestText('GET', '/nothing', { headers: upgrade })), 404, 'not_found');
});

test('HTTP/1.0 needs no Host, and its connection ends with the answer', async () => {
  const talking = await talk(port);
  talking.write('GET /things HTTP/1.0\r\n\r\n');
  expect(await talking.answer()).toMatchObject({ status: 200 });
  expect(await talking.isClosed()).toBe(true);
});

test('"localhost" rejects connections on both of its addresses', async () => {
  const both = plainServer();
  await both.listen({ port: 0, host: 'localhost' });
  for (const { port: itsPort, address } of addressesOf(both)) {
    const response = await fetch(`http://${address.includes(':') ? `[${address}]` : address}:${itsPort}/nothing`, {
      headers: { 'x-big': 'x'.repeat(17_000) },
    });
    expect(response.status).toBe(431);
    expect(await response.json()).toMatchObject({ ok: false, reason: 'headers_too_large' });
  }
  await both.close();
});

test('a shutdown answers pending and new requests with Connection: close, and does not wait for idle connections', async () => {
  const stopping = plainServer({ closeMs: 3_000 });
  await stopping.listen({ port: 0, host: '127.0.0.1' });
  const [busy, late, silent] = [await talk(portOf(stopping)), await talk(portOf(stopping)), await talk(portOf(stopping))];
  busy.write(requestText('GET', '/slow'));
  await wait(50);
  const startedAt = Date.now();
  const closed = stopping.close();
  await wait(50);
  late.write(requestText('GET', '/things'));
  expect(await late.answer()).toMatchObject({ status: 200, headers: { connection: 'close' }, json: { reason: 'found' } });
  expect(await busy.answer()).toMatchObject({ status: 200, headers: { connection: 'close' }, json: { reason: 'slow' } });
  expect(await busy.isClosed()).toBe(true);
  await closed;
  expect(Date.now() - startedAt).toBeLessThan(within(4_000));
  expect(await silent.isClosed()).toBe(true);
});
