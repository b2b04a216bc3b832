import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { webTimeouts } from '../../src/db/database.ts';
import { freshDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/network-proxy.ts';
import { startTestServiceOn } from '../support/service.ts';

const { url, database } = await freshDatabase();
await database.end();
const proxy = await startDatabaseProxy(url);
afterAll(() => proxy.close());

test('starts although the database takes longer to accept the first connection than a request may wait', async () => {
  await proxy.freeze();
  const starting = startTestServiceOn(proxy.url);
  await pause(webTimeouts.connectMs + 500);
  await proxy.pass();
  const service = await starting;
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await service.stop();
});

test('ends the start with an error if the database does not answer', async () => {
  await proxy.freeze();
  await expect(startTestServiceOn(proxy.url)).rejects.toThrow('timeout');
  await proxy.pass();
});

test('ends the start at the first refused connection', async () => {
  await proxy.refuse();
  const since = performance.now();
  await expect(startTestServiceOn(proxy.url)).rejects.toThrow(/ECONNREFUSED/);
  expect(performance.now() - since).toBeLessThan(webTimeouts.connectMs);
  await proxy.pass();
});
