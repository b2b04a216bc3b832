import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { madeUpServer, message } from '../../../test/support/server-words.ts';
import { primaryOf } from './primary.ts';

const goingDown = message('E', 'SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit', 0);

/** Lets everybody in, and dies at their first question: what is left of it says so more than once. */
const serverThatDies = () => madeUpServer((socket) => void socket.once('data', () => socket.end(Buffer.concat([goingDown, goingDown]))));

test('a server that dies while it is asked whether it is the primary fails that connection, and ends no process', async () => {
  const { Client, connectionString } = primaryOf(await serverThatDies());
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  process.on('uncaughtException', hear);
  onTestFinished(() => void process.off('uncaughtException', hear));
  const pool = new pg.Pool({ connectionString, Client });
  pool.on('error', () => {});
  await expect(pool.connect()).rejects.toMatchObject({ code: '57P01' });
  await pool.end();
  expect(unheard).toEqual([]);
});
