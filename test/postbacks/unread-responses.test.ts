import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainServer, portOf } from '../support/plain-server.ts';
import { requestText, talk } from '../support/raw-socket.ts';

/** More than the kernel buffers for both sides of a connection. */
const largeBytes = 32_000_000;
const sendMs = 2_000;
/** A slow client pauses after each of them. */
const pauseEveryBytes = 1_000_000;

const open = async (app: FastifyInstance): Promise<number> => {
  app.get('/large', async (_request, reply) => reply.type('application/octet-stream').send(Buffer.alloc(largeBytes)));
  app.get('/late', async () => wait(2.5 * sendMs, { ok: true, reason: 'late' }));
  app.get('/never', () => new Promise(() => {}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return portOf(app);
};
const app = plainServer({ sendMs });
const impatient = plainServer({ sendMs: 200, idleMs: 1_000 });
let port = 0;
let impatientPort = 0;
beforeAll(async () => {
  port = await open(app);
  impatientPort = await open(impatient);
});
afterAll(async () => {
  await app.close();
  await impatient.close();
});

/** Sends a request, and returns the sockets of both sides. The client does not read. */
async function begin(path: string): Promise<{ readonly client: Socket; readonly server: Socket }> {
  const client = connect({ port, host: '127.0.0.1' });
  client.pause().on('error', () => {});
  const [server] = await once(app.server, 'connection');
  client.write(requestText('GET', path));
  return { client, server };
}

test('closes the connection of a client that does not read its response', async () => {
  const { client, server } = await begin('/large');
  await expect.poll(() => server.writableLength).toBeGreaterThan(0);
  await expect.poll(() => server.destroyed, { timeout: 10 * sendMs }).toBe(true);
  expect(server.bytesWritten).toBeGreaterThan(0);
  client.destroy();
});

test('a client that reads slowly receives the whole response', async () => {
  const { client, server } = await begin('/large');
  const beganAt = Date.now();
  let received = 0;
  client.on('data', (bytes) => {
    const isPause = Math.floor(received / pauseEveryBytes) < Math.floor((received + bytes.length) / pauseEveryBytes);
    received += bytes.length;
    if (!isPause) return;
    client.pause();
    setTimeout(() => client.resume(), sendMs / 16);
  });
  client.resume();
  await expect.poll(() => received, { timeout: 60 * sendMs }).toBeGreaterThan(largeBytes);
  expect(Date.now() - beganAt).toBeGreaterThan(2 * sendMs);
  expect(server.destroyed).toBe(false);
  client.destroy();
});

test('a response that the service sends late is not unread, and an idle connection stays open between two requests', async () => {
  const talking = await talk(port);
  talking.write(requestText('GET', '/late'));
  expect(await talking.answer()).toMatchObject({ status: 200, json: { reason: 'late' } });
  await wait(2.5 * sendMs);
  talking.write(requestText('GET', '/things'));
  expect(await talking.answer()).toMatchObject({ status: 200, json: { reason: 'found' } });
  talking.close();
});

test('closes a connection without a byte in either direction for the longest time that a response may take', async () => {
  const talking = await talk(impatientPort);
  const beganAt = Date.now();
  talking.write(requestText('GET', '/never'));
  expect(await talking.isClosed()).toBe(true);
  expect(Date.now() - beganAt).toBeGreaterThanOrEqual(990);
  expect(talking.received()).toBe('');
});
