import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database, Transaction } from '../../src/db/database.ts';
import { ints, sql } from '../../src/db/sql.ts';
import { freshDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await freshDatabase());
  await database.run(sql`create table numbers (number int primary key)`);
});
beforeEach(async () => void (await database.run(sql`delete from numbers`)));

const put = (tx: Transaction, number: number) => tx.run(sql`insert into numbers values (${number}::int)`);
const storedNumbers = async () =>
  (await database.all<{ number: number }>(sql`select number from numbers order by number`)).map(({ number }) => number);

test('commits every query, and does not report an unknown outcome', async () => {
  const commitSent = vi.fn<() => void>();
  await database.pipelinedTransaction((tx) => Promise.all([put(tx, 1), put(tx, 2)]), commitSent);
  expect(await storedNumbers()).toEqual([1, 2]);
  expect(commitSent).not.toHaveBeenCalled();
});

test.each([
  ['first', [1, 1, 2]],
  ['last', [2, 1, 1]],
])('rolls back when the server rejects the %s query, with a known outcome and a healthy connection', async (_place, numbers) => {
  const commitSent = vi.fn<() => void>();
  const write = database.pipelinedTransaction((tx) => Promise.all(numbers.map((number) => put(tx, number))), commitSent);
  await expect(write).rejects.toMatchObject({ code: '23505' });
  expect(commitSent).not.toHaveBeenCalled();
  expect(await storedNumbers()).toEqual([]);
  await database.pipelinedTransaction((tx) => put(tx, 3));
  expect(await storedNumbers()).toEqual([3]);
});

test('rolls back when a value cannot be encoded, with a known outcome and a healthy connection', async () => {
  const commitSent = vi.fn<() => void>();
  const broken = (tx: Transaction) => tx.run(sql`insert into numbers select unnest(${ints(['no number' as never])})`);
  await expect(database.pipelinedTransaction((tx) => Promise.all([put(tx, 1), broken(tx), put(tx, 2)]), commitSent)).rejects.toThrow(
    'integer',
  );
  expect(commitSent).not.toHaveBeenCalled();
  expect(await storedNumbers()).toEqual([]);
  await database.pipelinedTransaction((tx) => put(tx, 3));
  expect(await storedNumbers()).toEqual([3]);
});

test('reports an unknown outcome when the connection breaks', async () => {
  const commitSent = vi.fn<() => void>();
  // Destroys the socket on the client side, like a network failure: the server sends no error.
  database.pool.once('acquire', ({ connection }) => void setTimeout(() => connection.stream.destroy(), 200));
  const write = database.pipelinedTransaction((tx) => Promise.all([put(tx, 4), tx.run(sql`select pg_sleep(2)`)]), commitSent);
  await expect(write).rejects.toThrow('Connection terminated');
  expect(commitSent).toHaveBeenCalledOnce();
});

test('rejects a query that is issued after the commit was sent', async () => {
  const late = database.pipelinedTransaction(async (tx) => {
    await put(tx, 5);
    await put(tx, 6);
  });
  await expect(late).rejects.toThrow('before anything is awaited');
});
