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
  const door = here(await freePort());
  const listeners = await chooseListenerCount(door);
  const app = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {}, listeners });
  app.get('/', () => ({ ok: true }));
  await app.listen(listenOptions(door, listeners));
  onTestFinished(() => app.close());
  return { app, door };
}

test('a crowd that knocks at once is let in within a few turns of the loop, not one a turn', async () => {
  const crowd = 100;
  // Other systems do not deal connections out among listeners.
  const turnsMax = process.platform === 'linux' ? crowd / 2 : 2 * crowd;
  const { door } = await serve();
  const answered = new Set<IncomingMessage>();
  for (let knock = 0; knock < crowd; knock++)
    get({ ...door, agent: false }, (response: IncomingMessage) => {
      response.resume().once('end', () => answered.add(response));
    });
  let turns = 0;
  for (; turns < turnsMax && answered.size < crowd; turns++) {
    const busyUntil = performance.now() + 5;
    while (performance.now() < busyUntil);
    await nextTurn();
  }
  expect(answered.size).toBe(crowd);
});

test('a second one at the same door is told that it is taken', async () => {
  const { door } = await serve();
  await expect(chooseListenerCount(door)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('closed, none of them listens any more', async () => {
  const { app, door } = await serve();
  await app.close();
  const [error] = await once(connect(door), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('all together keep so many connections as one would', () => {
  expect(connectionsMaxPerListener(20_000, 1)).toBe(20_000);
  expect(connectionsMaxPerListener(20_000, 64) * 64).toBeGreaterThanOrEqual(20_000);
  expect(connectionsMaxPerListener(20_000, 64) * 64).toBeLessThan(25_000);
});
