import type pg from 'pg';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Transaction } from '../../src/db/database.ts';
import { inserting, ints, prepared, sql, texts, type Sql } from '../../src/db/sql.ts';
import { freshDatabase } from '../support/database.ts';

const { database } = await freshDatabase();
await database.run(sql`create table numbers (number int primary key, word text)`);
beforeEach(async () => void (await database.run(sql`delete from numbers`)));

type Row = { readonly number: number; readonly word: string | null };

const put = (number: number, word: string | null = null) => sql`insert into numbers values (${number}::int, ${word}::text)`;
const putPrepared = (number: number) => prepared`insert into numbers values (${number}::int, null) returning number`;
const find = (number: number) => prepared`select number, word as number_in_words from numbers where number = ${number}::int`;
const stored = () => database.all<Row>(sql`select number, word from numbers order by number`);
const numbersOf = async () => (await stored()).map(({ number }) => number);
const outcomes = async (statements: ReadonlyArray<Promise<unknown>>) =>
  (await Promise.allSettled(statements)).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { code?: string }).code));

const withParameters = (count: number): Sql => ({
  strings: ['select 1 where 1 in (', ...Array.from({ length: count - 1 }, () => ','), ')'],
  values: Array.from({ length: count }, (_none, place) => place),
});
/** The protocol counts them with 16 bits. */
const tooMany = withParameters(65_536);

/** How many message exchanges the server ended while this ran. */
async function exchangesOf(run: () => Promise<unknown>): Promise<number> {
  let ended = 0;
  const count = () => void (ended += 1);
  const listen = ({ connection }: pg.PoolClient) => void connection.on('readyForQuery', count);
  const used = new Set<pg.PoolClient>();
  const onAcquire = (client: pg.PoolClient) => {
    if (!used.has(client)) listen(client);
    used.add(client);
  };
  database.pool.on('acquire', onAcquire);
  await run();
  database.pool.off('acquire', onAcquire);
  for (const { connection } of used) connection.off('readyForQuery', count);
  return ended;
}

test('BEGIN and the statements of one tick travel together, and COMMIT after their answers', async () => {
  const run = () =>
    database.transaction(async (tx) => {
      const written = await Promise.all([tx.run(put(1)), tx.run(put(2)), tx.all(sql`select number from numbers order by number`)]);
      expect(written).toEqual([1, 1, [{ number: 1 }, { number: 2 }]]);
    });
  expect(await exchangesOf(run)).toBe(2);
  expect(await numbersOf()).toEqual([1, 2]);
});

test('a transaction without a statement sends nothing', async () => {
  const commitSent = vi.fn<() => void>();
  expect(await exchangesOf(() => database.transaction(async () => {}, commitSent))).toBe(0);
  expect(commitSent).not.toHaveBeenCalled();
});

test('each statement sees what the statements before it wrote', async () => {
  const [before, written, after] = await database.transaction((tx) =>
    Promise.all([tx.find(find(1)), tx.run(put(1, 'one')), tx.find(find(1))]),
  );
  expect([before, written, after]).toEqual([null, 1, { number: 1, numberInWords: 'one' }]);
});

test('a rejected statement has its error, and so has each statement after it; the earlier ones have their answers', async () => {
  const seen: unknown[] = [];
  const failing = database.transaction(async (tx) => {
    const statements = [tx.run(put(1)), tx.run(put(1)), tx.run(put(2)), tx.all(sql`select 1 as one`)];
    seen.push(...(await outcomes(statements)));
    seen.push(...(await outcomes([tx.run(put(3))])));
    await Promise.all(statements);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(seen).toEqual([1, '23505', '23505', '23505', '23505']);
  expect(await numbersOf()).toEqual([]);
});

test.each([
  ['is returned later than those of the statements after it', (tx: Transaction) => [tx.find(sql`select 1 / 0 as none`), tx.run(put(1))]],
  ['is in an exchange before', (tx: Transaction) => [tx.run(sql`select 1 / 0`), turn().then(() => tx.run(put(1)))]],
  ['is awaited second', (tx: Transaction) => [turn().then(() => tx.run(put(1))), tx.run(sql`select 1 / 0`)]],
])('a transaction fails with the error of its first rejected statement: it %s', async (_how, statements) => {
  await expect(database.transaction((tx) => Promise.all(statements(tx)))).rejects.toMatchObject({ code: '22012' });
  expect(await numbersOf()).toEqual([]);
});

test('a transaction whose connection the server ends fails with that error', async () => {
  const failing = database.transaction(async (tx) => {
    const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    setTimeout(() => void database.run(sql`select pg_terminate_backend(${pid}::int)`), 100);
    await Promise.all([tx.find(sql`select pg_sleep(2)`), tx.run(put(1))]);
  });
  await expect(failing).rejects.toMatchObject({ code: '57P01' });
});

test('a transaction is not committed if a statement was rejected and its error caught', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.run(put(1));
    await tx.run(put(1)).catch(() => {});
    return 'committed';
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await numbersOf()).toEqual([]);
});

test('after a statement that cannot be encoded, nothing is sent without BEGIN', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.all(tooMany).catch(() => {});
    await tx.run(put(1)).catch(() => {});
  });
  await expect(failing).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  expect(await numbersOf()).toEqual([]);
});

test('statements that were prepared in an exchange with a rejected one can be used again', async () => {
  const outcomesOf = async (statements: (tx: Transaction) => ReadonlyArray<Promise<unknown>>) => {
    const seen: unknown[] = [];
    const failing = database.transaction(async (tx) => void seen.push(...(await outcomes(statements(tx)))));
    await expect(failing).rejects.toBeInstanceOf(Error);
    return seen;
  };
  for (const number of [1, 2]) {
    const seen = await outcomesOf((tx) => [tx.all(putPrepared(number)), tx.all(putPrepared(number)), tx.find(find(number))]);
    expect(seen).toEqual([[{ number }], '23505', '23505']);
  }
  const unparsed = prepared`select no_such_column from numbers`;
  const afterUnparsed = prepared`select count(*) as count from numbers`;
  for (let time = 0; time < 2; time += 1)
    expect(await outcomesOf((tx) => [tx.all(unparsed), tx.all(afterUnparsed)])).toEqual(['42703', '42703']);
  expect(await database.all(afterUnparsed)).toEqual([{ count: 0n }]);
  expect(await database.transaction((tx) => Promise.all([tx.all(putPrepared(3)), tx.all(putPrepared(4)), tx.find(find(3))]))).toEqual([
    [{ number: 3 }],
    [{ number: 4 }],
    { number: 3, numberInWords: null },
  ]);
});

test('a prepared statement has its columns each time, whichever connection runs it', async () => {
  await database.run(put(7, 'seven'));
  for (let time = 0; time < 3; time += 1) {
    const found = await Promise.all(Array.from({ length: 4 }, () => database.find(find(7))));
    expect(found).toEqual(Array.from({ length: 4 }, () => ({ number: 7, numberInWords: 'seven' })));
    expect(await database.transaction((tx) => Promise.all([tx.find(find(7)), tx.find(find(8))]))).toEqual([found[0], null]);
  }
});

test('a statement whose transaction fails in the same tick is never run, and its result needs no handler', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.run(put(1));
    void tx.run(put(2));
    throw new Error('changed its mind');
  });
  await expect(failing).rejects.toThrow('changed its mind');
  expect(await numbersOf()).toEqual([]);
});

test('a statement after the end of its transaction is refused', async () => {
  const late = Promise.withResolvers<() => Promise<number>>();
  await database.transaction(async (tx) => {
    await tx.run(put(1));
    late.resolve(() => tx.run(put(2)));
  });
  await expect((await late.promise)()).rejects.toThrow('after the end of its transaction');
  expect(await numbersOf()).toEqual([1]);
});

test('a transaction whose statement was not awaited and failed is not committed', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.run(put(1));
    tx.run(put(1)).catch(() => {});
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await numbersOf()).toEqual([]);
});

test('if the connection breaks, each statement has that error', async () => {
  database.pool.once('acquire', ({ connection }) => void setTimeout(() => connection.stream.destroy(), 200));
  const failed: string[] = [];
  const failing = database.transaction(async (tx) => {
    const statements = [tx.run(put(1)), tx.all(sql`select pg_sleep(2)`), tx.run(put(2))];
    for (const one of await Promise.allSettled(statements)) failed.push(one.status === 'rejected' ? String(one.reason) : 'answered');
    await Promise.all(statements);
  });
  await expect(failing).rejects.toThrow('Connection terminated');
  expect(failed).toHaveLength(3);
  expect(failed.every((error) => error.includes('Connection terminated'))).toBe(true);
  expect(await numbersOf()).toEqual([]);
});

test('a statement that cannot be encoded fails its transaction, of which nothing is sent, and the connection stays in use', async () => {
  const failing = database.transaction((tx) => Promise.all([tx.run(putPrepared(5)), tx.all(tooMany), tx.run(put(6))]));
  await expect(failing).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  await expect(database.all(tooMany)).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  expect(await numbersOf()).toEqual([]);
  expect(await database.transaction((tx) => Promise.all([tx.all(putPrepared(5)), tx.find(find(5))]))).toEqual([
    [{ number: 5 }],
    { number: 5, numberInWords: null },
  ]);
  expect(await database.all(withParameters(65_535))).toEqual([{ '?column?': 1 }]);
});

test('the stack of an error names the code that ran the statement', async () => {
  const error: unknown = await database.run(sql`select no_such_column`).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: '42703', stack: expect.stringContaining('transactions.test.ts') as string });
});

test.each([
  ['an empty text', ''],
  ['more bytes than characters', 'žluťoučký kůň 🐎'.repeat(40)],
  ['more than one buffer', '🐎ž'.repeat(100_000)],
  ['exactly one buffer', 'x'.repeat(65_536)],
])('values arrive as they are: %s', async (_what, word) => {
  await database.transaction((tx) => Promise.all([tx.run(put(1, word)), tx.run(put(2)), tx.run(put(3, word))]));
  expect(await stored()).toEqual([
    { number: 1, word },
    { number: 2, word: null },
    { number: 3, word },
  ]);
});

test('values of each length arrive as they are, at each place of the buffer', async () => {
  const words = Array.from({ length: 600 }, (_none, place) => 'ž'.repeat(place));
  const numbers = words.map((_word, place) => place);
  await database.writeTogether(inserting`insert into numbers (number, word) ${[ints(numbers), texts(words)]}`);
  expect((await stored()).map(({ word }) => word)).toEqual(words);
});

test('bytes arrive as they are', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_none, place) => place % 256));
  const { same } = await database.one<{ same: Buffer }>(sql`select ${bytes}::bytea as same`);
  expect(same.equals(bytes)).toBe(true);
});
