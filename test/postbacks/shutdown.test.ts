import { setTimeout as pause } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createShutdown } from '../../src/http/shutdown.ts';
import { createServer } from '../../src/http/server.ts';
import { portOf } from '../support/plain-server.ts';
import { requestText, talk } from '../support/raw-socket.ts';

/** A server with a graceful shutdown, and a fast, a slow, and a streaming handler. */
async function open() {
  const leaving = createShutdown();
  const errors: unknown[] = [];
  const app = createServer({
    trustedProxies: [],
    problemFormats: [],
    isTemporary: () => false,
    onError: (error) => errors.push(error),
    shutdown: leaving,
  });
  app.get('/things', async () => ({ ok: true, reason: 'found' }));
  const begun = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    begun.resolve();
    return pause(400, { ok: true, reason: 'slow' });
  });
  app.get('/stream', async (_request, reply) => reply.type('text/event-stream; charset=utf-8').send(Readable.from(endless())));
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { leaving, errors, port: portOf(app), begun: begun.promise };
}

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield ': still here\n\n';
    await pause(50);
  }
}

const restingMs = 1_000;
/** No client waits this long unless shutdown kept its connection open. */
const longMs = 30_000;

test('an idle connection carries one more request during shutdown, and closes with its reply', async () => {
  const { leaving, port } = await open();
  const talking = await talk(port);
  talking.write(requestText('GET', '/things'));
  expect((await talking.answer())?.headers['connection']).toBe('keep-alive');
  const startedAt = performance.now();
  const left = leaving.drain({ resting: longMs, due: longMs });
  await pause(200);
  talking.write(requestText('GET', '/things'));
  expect(await talking.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await left;
  expect(performance.now() - startedAt).toBeLessThan(longMs);
  expect(await talking.isClosed()).toBe(true);
});

test('a shutdown accepts no connection, sends pending replies, and closes idle connections', async () => {
  const { leaving, port, begun } = await open();
  const [due, resting] = [await talk(port), await talk(port)];
  due.write(requestText('GET', '/slow'));
  await begun;
  const startedAt = performance.now();
  const left = leaving.drain({ resting: restingMs, due: longMs });
  await expect(fetch(`http://127.0.0.1:${port}/things`)).rejects.toThrow('fetch failed');
  expect(await due.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await left;
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(restingMs - 10);
  expect(await resting.isClosed()).toBe(true);
  expect(resting.received()).toBe('');
});

test('a shutdown ends a stream immediately and without an error', async () => {
  const { leaving, errors, port } = await open();
  const stream = await fetch(`http://127.0.0.1:${port}/stream`);
  let output = '';
  const whole = (async () => {
    for await (const piece of stream.body ?? []) output += Buffer.from(piece).toString('utf8');
  })();
  await expect.poll(() => output).toContain('still here');
  leaving.begin();
  // Otherwise the stream never ends.
  await whole;
  expect(await (await fetch(`http://127.0.0.1:${port}/stream`)).text()).toMatch(/^(: still here\n\n)*$/);
  await pause(200);
  expect(errors).toEqual([]);
});

test('a reply that never comes does not block the shutdown', async () => {
  const { leaving, port } = await open();
  const talking = await talk(port);
  talking.write('POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n');
  await pause(100);
  const startedAt = performance.now();
  await leaving.drain({ resting: 100, due: 200 });
  expect(performance.now() - startedAt).toBeLessThan(longMs);
  expect(await talking.isClosed()).toBe(true);
});
