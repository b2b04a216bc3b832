import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { freshDatabase } from '../../test/support/database.ts';
import { hashOfUuid, shardOf } from './shard-map.ts';
import { sql, uuids } from './sql.ts';

const manyIds = (count: number) => Array.from({ length: count }, () => newId<'store'>(new Date()));

test('the hash of a store is the one by which PostgreSQL and Citus distribute it', async () => {
  const { database } = await freshDatabase();
  const ids = manyIds(500);
  const rows = await database.all<{ id: string; hash: number }>(sql`select id, uuid_hash(id) as hash from unnest(${uuids(ids)}) as id`);
  expect(rows).toHaveLength(ids.length);
  expect(rows.filter(({ id, hash }) => hashOfUuid(id) !== hash)).toEqual([]);
  await database.end();
});

test('finds the shard whose range contains the hash, and none where nothing is distributed', () => {
  const least = -(2 ** 31);
  const size = 2 ** 27;
  const shards = Array.from({ length: 32 }, (_none, place) => {
    const min = least + place * size;
    return { min, max: min + size - 1, group: place % 3, name: 'node', port: 5432 };
  });
  for (const id of manyIds(500)) {
    const hash = hashOfUuid(id);
    expect(shardOf(shards, id)).toBe(shards.find(({ min, max }) => min <= hash && hash <= max));
    expect(shardOf([], id)).toBeUndefined();
  }
});
