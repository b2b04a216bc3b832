import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database, Transaction } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { freshDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await freshDatabase());
  await database.run(sql`create table numbers (number int primary key)`);
});
beforeEach(async () => void (await database.run(sql`delete from numbers`)));

const put = (tx: Transaction, number: number) => tx.run(sql`insert into numbers values (${number}::int)`);
const kept = async () =>
  (await database.all<{ number: number }>(sql`select number from numbers order by number`)).map(({ number }) => number);

test('all of it is there when it is answered, and nobody is told that the outcome is open', async () => {
  const commitSent = vi.fn<() => void>();
  await database.writeInOneGo((tx) => Promise.all([put(tx, 1), put(tx, 2)]), commitSent);
  expect(await kept()).toEqual([1, 2]);
  expect(commitSent).not.toHaveBeenCalled();
});

test.each([
  ['first', [1, 1, 2]],
  ['last', [2, 1, 1]],
])('what the server refuses %s leaves nothing of the whole, the outcome is known, and the connection is well', async (_place, numbers) => {
  const commitSent = vi.fn<() => void>();
  const write = database.writeInOneGo((tx) => Promise.all(numbers.map((number) => put(tx, number))), commitSent);
  await expect(write).rejects.toMatchObject({ code: '23505' });
  expect(commitSent).not.toHaveBeenCalled();
  expect(await kept()).toEqual([]);
  await database.writeInOneGo((tx) => put(tx, 3));
  expect(await kept()).toEqual([3]);
});

test('a value that cannot be written leaves nothing of the whole, the outcome is known, and the connection is well', async () => {
  const commitSent = vi.fn<() => void>();
  const broken = (tx: Transaction) => tx.run(sql`insert into numbers select unnest(${['no number']}::int[])`);
  await expect(database.writeInOneGo((tx) => Promise.all([put(tx, 1), broken(tx), put(tx, 2)]), commitSent)).rejects.toThrow(
    'whole number',
  );
  expect(commitSent).not.toHaveBeenCalled();
  expect(await kept()).toEqual([]);
  await database.writeInOneGo((tx) => put(tx, 3));
  expect(await kept()).toEqual([3]);
});

test('a connection that breaks leaves the outcome open, and says so', async () => {
  const commitSent = vi.fn<() => void>();
  // Cut at our side, as a network does: the server says nothing.
  database.pool.once('acquire', ({ connection }) => void setTimeout(() => connection.stream.destroy(), 200));
  const write = database.writeInOneGo((tx) => Promise.all([put(tx, 4), tx.run(sql`select pg_sleep(2)`)]), commitSent);
  await expect(write).rejects.toThrow('Connection terminated');
  expect(commitSent).toHaveBeenCalledOnce();
});

test('what is asked after its commit has gone is our mistake, and is heard', async () => {
  const late = database.writeInOneGo(async (tx) => {
    await put(tx, 5);
    await put(tx, 6);
  });
  await expect(late).rejects.toThrow('before anything is waited for');
});
