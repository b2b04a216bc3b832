import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startFakeServer, message } from '../../test/support/postgres-messages.ts';
import { createPrimary } from './primary.ts';

const goingDown = message('E', 'SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit', 0);

/** Accepts connections and terminates them at the first query, with the message sent twice. */
const serverThatDies = () => startFakeServer((socket) => void socket.once('data', () => socket.end(Buffer.concat([goingDown, goingDown]))));

test('a server that terminates during the primary check fails that connection and does not crash the process', async () => {
  const { Client, connectionString } = createPrimary(await serverThatDies());
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', onUncaught);
  onTestFinished(() => void process.off('uncaughtException', onUncaught));
  const pool = new pg.Pool({ connectionString, Client });
  pool.on('error', () => {});
  await expect(pool.connect()).rejects.toMatchObject({ code: '57P01' });
  await pool.end();
  expect(uncaught).toEqual([]);
});
