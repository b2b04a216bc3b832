import pg from 'pg';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../test/support/postgres-messages.ts';
import { within } from '../../test/support/size.ts';
import { endWithTimeout } from './close-pool.ts';

/** Accepts connections and never closes its side, like a machine that has stopped. */
const serverThatHangs = () => startFakeServer((socket) => void socket.resume());

test('closes a client of a hanging server within a few seconds, so that its lock blocks no scheduled job', async () => {
  const client = new pg.Client({ connectionString: await serverThatHangs() });
  client.on('error', () => {});
  await client.connect();
  const since = performance.now();
  await endWithTimeout(client);
  expect(performance.now() - since).toBeLessThan(within(6_000));
}, 60_000);
