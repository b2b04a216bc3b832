import { beforeEach, expect, test, vi } from 'vitest';
import { inserting, ints, sql } from '../../src/db/sql.ts';
import { freshDatabase } from '../support/database.ts';

const { database } = await freshDatabase();
await database.run(sql`create table numbers (number int primary key, deferred int unique deferrable initially deferred)`);
beforeEach(async () => void (await database.run(sql`delete from numbers`)));

const put = (number: number) => sql`insert into numbers values (${number}::int)`;
const putPrepared = (numbers: readonly number[]) => inserting`insert into numbers (number) ${[ints(numbers)]}`;
const storedNumbers = async () =>
  (await database.all<{ number: number }>(sql`select number from numbers order by number`)).map(({ number }) => number);

test('commits every statement, and does not report an unknown outcome', async () => {
  const commitSent = vi.fn<() => void>();
  await database.writeTogether([put(1), put(2)], commitSent);
  expect(await storedNumbers()).toEqual([1, 2]);
  expect(commitSent).not.toHaveBeenCalled();
});

test('prepares a statement once, and executes it several times in one transaction and in the next', async () => {
  const numbers = Array.from({ length: 100 }, (_none, place) => place);
  await database.writeTogether(putPrepared(numbers));
  await database.writeTogether(putPrepared(numbers.map((number) => number + 100)));
  expect(await storedNumbers()).toEqual(Array.from({ length: 200 }, (_none, place) => place));
});

test.each([
  ['first', [1, 1, 2]],
  ['last', [2, 1, 1]],
])('rolls back when the server rejects the %s statement, with a known outcome', async (_place, numbers) => {
  const commitSent = vi.fn<() => void>();
  await expect(database.writeTogether([...numbers.map(put), ...putPrepared([3])], commitSent)).rejects.toMatchObject({ code: '23505' });
  expect(commitSent).not.toHaveBeenCalled();
  expect(await storedNumbers()).toEqual([]);
  await database.writeTogether(putPrepared([3]));
  expect(await storedNumbers()).toEqual([3]);
});

test('rolls back when a value cannot be encoded, with a known outcome', async () => {
  const commitSent = vi.fn<() => void>();
  const broken = sql`insert into numbers select unnest(${ints(['no number' as never])})`;
  await expect(database.writeTogether([put(1), broken, put(2)], commitSent)).rejects.toThrow('integer');
  expect(commitSent).not.toHaveBeenCalled();
  expect(await storedNumbers()).toEqual([]);
  await database.writeTogether([put(3)]);
  expect(await storedNumbers()).toEqual([3]);
});

test('reports an unknown outcome when the COMMIT is rejected', async () => {
  const commitSent = vi.fn<() => void>();
  const putTwice = [1, 2].map((number) => sql`insert into numbers values (${number}::int, 7)`);
  await expect(database.writeTogether(putTwice, commitSent)).rejects.toMatchObject({ code: '23505' });
  expect(commitSent).toHaveBeenCalledOnce();
  expect(await storedNumbers()).toEqual([]);
});

test('reports an unknown outcome when the connection breaks', async () => {
  const commitSent = vi.fn<() => void>();
  // Destroys the socket on the client side, like a network failure: the server sends no error.
  database.pool.once('acquire', ({ connection }) => void setTimeout(() => connection.stream.destroy(), 200));
  await expect(database.writeTogether([put(4), sql`select pg_sleep(2)`], commitSent)).rejects.toThrow('Connection terminated');
  expect(commitSent).toHaveBeenCalledOnce();
});
