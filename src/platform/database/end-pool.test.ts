import pg from 'pg';
import { expect, test } from 'vitest';
import { madeUpServer } from '../../../test/support/server-words.ts';
import { within } from '../../../test/support/size.ts';
import { endInTime } from './end-pool.ts';

/** Lets everybody in, and never closes its side: as one whose machine has stopped under it. */
const serverThatHangs = () => madeUpServer((socket) => void socket.resume());

test('who says goodbye to a server that hangs is gone within a few seconds: its lock must keep no job of the night', async () => {
  const client = new pg.Client({ connectionString: await serverThatHangs() });
  client.on('error', () => {});
  await client.connect();
  const since = performance.now();
  await endInTime(client);
  expect(performance.now() - since).toBeLessThan(within(6_000));
}, 60_000);
