import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { letIn } from '../../../test/support/server-words.ts';
import { within } from '../../../test/support/size.ts';
import { endInTime } from './end-pool.ts';

/** Lets everybody in, and never closes its side: as one whose machine has stopped under it. */
async function serverThatHangs(): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write(letIn));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `postgres://somebody@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`;
}

test('who says goodbye to a server that hangs is gone within a few seconds: its lock must keep no job of the night', async () => {
  const client = new pg.Client({ connectionString: await serverThatHangs() });
  client.on('error', () => {});
  await client.connect();
  const since = performance.now();
  await endInTime(client);
  expect(performance.now() - since).toBeLessThan(within(6_000));
}, 60_000);
