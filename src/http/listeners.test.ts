import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../test/support/main-process.ts';
import { connectionsMaxPerListener, chooseListenerCount, listenOptions } from './listeners.ts';
import { createServer } from './server.ts';

const here = (port: number) => ({ host: '127.0.0.1', port, exclusive: false });

async function serve() {
  const address = here(await freePort());
  const listeners = await chooseListenerCount(address);
  const app = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {}, listeners });
  app.get('/', () => ({ ok: true }));
  await app.listen(listenOptions(address, listeners));
  onTestFinished(() => app.close());
  return { app, address };
}

test('many simultaneous connections are accepted within a few turns of the loop, not one per turn', async () => {
  const requests = 100;
  // Other systems do not deal connections out among listeners.
  const turnsMax = process.platform === 'linux' ? requests / 2 : 2 * requests;
  const { address } = await serve();
  const answered = new Set<IncomingMessage>();
  for (let sent = 0; sent < requests; sent++)
    get({ ...address, agent: false }, (response: IncomingMessage) => {
      response.resume().once('end', () => answered.add(response));
    });
  let turns = 0;
  for (; turns < turnsMax && answered.size < requests; turns++) {
    const busyUntil = performance.now() + 5;
    while (performance.now() < busyUntil);
    await nextTurn();
  }
  expect(answered.size).toBe(requests);
});

test('a second server at the same address fails with EADDRINUSE', async () => {
  const { address } = await serve();
  await expect(chooseListenerCount(address)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('closed, none of them listens any more', async () => {
  const { app, address } = await serve();
  await app.close();
  const [error] = await once(connect(address), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('all together keep so many connections as one would', () => {
  expect(connectionsMaxPerListener(20_000, 1)).toBe(20_000);
  expect(connectionsMaxPerListener(20_000, 64) * 64).toBeGreaterThanOrEqual(20_000);
  expect(connectionsMaxPerListener(20_000, 64) * 64).toBeLessThan(25_000);
});
