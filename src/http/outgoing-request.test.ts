import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { invariant } from '../core/invariant.ts';
import { sendOutgoing, type OutgoingRules } from './outgoing-request.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function site(listener: RequestListener) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push([request.method, request.url, request.headers['x-secret'] ?? ''].join(' ').trim());
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'a server listens somewhere');
  return { host: `127.0.0.1:${address.port}`, url: `http://127.0.0.1:${address.port}/`, port: address.port, received };
}

/** The addresses that would be connected to. Each connection ends after its look-up, so that no test calls a real server. */
function stopBeforeConnecting(): readonly string[] {
  const goingTo: string[] = [];
  const watch = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('lookup', (error, address) => {
      if (error !== null) return;
      goingTo.push(address);
      socket.destroy(new Error('stopped by the test'));
    });
  };
  subscribe('net.client.socket', watch);
  onTestFinished(() => void unsubscribe('net.client.socket', watch));
  return goingTo;
}

const rules: OutgoingRules = { allow: [], timeoutMs: 1_000, bytesMax: 1_000, redirectsMax: 3 };
const hello: RequestListener = (_request, response) => response.end('hello');

test('an address that the operator allows is called, and answered in whole', async () => {
  const { host, url } = await site((_request, response) => response.writeHead(201, { 'x-a': ['1', '2'] }).end('hello'));
  const end = await sendOutgoing({ url }, { ...rules, allow: [host] });
  expect(end).toMatchObject({ is: 'answered', status: 201, url, isCut: false, headers: { 'x-a': '1, 2' }, hops: [{ url, status: 201 }] });
  expect(end.is === 'answered' && end.body.toString()).toBe('hello');
});

test('a machine of ours is not called, by whatever name: no byte reaches it', async () => {
  const { url, port, received } = await site(hello);
  const names = [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '127.0.0.1.',
    '[::]',
  ];
  for (const name of names) {
    expect([name, await sendOutgoing({ url: `http://${name}:${port}/` }, rules)]).toMatchObject([
      name,
      { is: 'refused', why: 'not_public' },
    ]);
  }
  // What is allowed is the pair, not the host.
  expect(await sendOutgoing({ url }, { ...rules, allow: [`127.0.0.1:${port + 1}`] })).toMatchObject({ is: 'refused', why: 'not_public' });
  expect(received).toEqual([]);
});

test('a name that leads to one of our machines is not called, nor one that leads there among others', async () => {
  const { port, received } = await site(hello);
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
    const lookup = async () => addresses;
    const end = await sendOutgoing({ url: `http://shop.example:${port}/` }, { ...rules, lookup });
    expect(end).toMatchObject({ is: 'refused', why: 'not_public', message: expect.stringContaining('OUTGOING_ALLOW') });
  }
  expect(received).toEqual([]);
});

test('a name that moves to one of our machines after it was judged is not followed there: it is looked up once for each call', async () => {
  const { port, received } = await site(hello);
  const answers = [['93.184.216.34'], ['127.0.0.1']];
  let lookups = 0;
  const lookup = async () => answers[lookups++] ?? [];
  const goingTo = stopBeforeConnecting();
  const first = await sendOutgoing({ url: `http://moving.example:${port}/` }, { ...rules, lookup });
  expect([first.is, goingTo, lookups]).toEqual(['failed', ['93.184.216.34'], 1]);
  expect(await sendOutgoing({ url: `http://moving.example:${port}/` }, { ...rules, lookup })).toMatchObject({ is: 'refused' });
  expect(received).toEqual([]);
});

test('a redirect is checked like the first address, and headers for one site are not sent to another', async () => {
  const secret = await site(hello);
  const other = await site(hello);
  const first = await site((request, response) =>
    response.writeHead(302, { location: request.url === '/own' ? '/there' : request.url === '/other' ? other.url : secret.url }).end(),
  );
  const allow = [first.host, other.host];
  expect(await sendOutgoing({ url: first.url }, { ...rules, allow })).toMatchObject({
    is: 'refused',
    why: 'not_public',
    hops: [{ url: first.url, status: 302, location: secret.url }],
  });
  expect(secret.received).toEqual([]);
  const call = { url: `${first.url}other`, headers: { 'x-secret': 'mine' } };
  expect(await sendOutgoing(call, { ...rules, allow })).toMatchObject({ is: 'answered', url: other.url, status: 200 });
  expect([first.received.at(-1), other.received.at(-1)]).toEqual(['GET /other mine', 'GET /']);
});

test('redirects are limited, and followed only if the caller requests it', async () => {
  const { host, url, received } = await site((_request, response) => response.writeHead(307, { location: '/' }).end());
  const allow = [host];
  expect(await sendOutgoing({ url }, { ...rules, allow })).toMatchObject({ is: 'refused', why: 'too_many_redirects' });
  expect(received).toHaveLength(4);
  expect(await sendOutgoing({ url, method: 'POST', body: '{}' }, { ...rules, allow })).toMatchObject({ is: 'answered', status: 307 });
  const { redirectsMax: _none, ...unfollowed } = rules;
  expect(await sendOutgoing({ url }, { ...unfollowed, allow })).toMatchObject({ is: 'answered', status: 307 });
});

test('only so much of a body is read, however long it is', async () => {
  const { host, url } = await site((_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(400)), 1);
    response.on('close', () => clearInterval(timer));
  });
  const end = await sendOutgoing({ url }, { ...rules, allow: [host] });
  expect(end).toMatchObject({ is: 'answered', isCut: true });
  expect(end.is === 'answered' && end.body.length).toBe(1_000);
});

test('the time is limited as a whole: silence, and a body that trickles', async () => {
  const silent = await site(() => {});
  const trickling = await site((_request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  for (const { host, url } of [silent, trickling]) {
    const startedMs = performance.now();
    expect(await sendOutgoing({ url }, { ...rules, allow: [host], timeoutMs: 200 })).toMatchObject({ is: 'failed', why: 'timeout' });
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  }
});

test.each([
  'ftp://shop.example/',
  'file:///etc/passwd',
  'http://user:secret@shop.example/',
  'shop.example',
  'http://',
  `https://a.example/${'x'.repeat(3_000)}`,
])('%s is no address to call', async (url) => expect(await sendOutgoing({ url }, rules)).toMatchObject({ is: 'refused', why: 'bad_url' }));

test('an unreachable address is reported with the reason', async () => {
  const { host, url } = await site(hello);
  servers.splice(0).forEach((server) => server.close());
  expect(await sendOutgoing({ url }, { ...rules, allow: [host] })).toMatchObject({
    is: 'failed',
    why: 'unreachable',
    message: expect.stringMatching(/ECONNREFUSED/),
  });
});
