import { afterAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keyOf, orderOf } from '../../src/db/list-order.ts';
import { listRelationships, relationshipSorts } from '../../src/subscriptions/relationships-sql.ts';
import { fillRelationships } from '../../bench/fill-lists-sql.ts';
import { freshDatabase, isCluster } from '../support/database.ts';
import { explainQuery, totalRowsRead } from '../support/explained.ts';

const { database } = await freshDatabase();
afterAll(() => database.end());
const at = new Date('2026-01-01T00:00:00Z');
const [storeId, creatorId] = [newId<'store'>(at), newId<'crt'>(at)];
const count = 20_000;
// sub-1 to sub-20000, in this order.
await fillRelationships(database, { storeId, creatorId, count });

const filter = { state: null, isHeld: null, creatorId: null, search: null };
const placesWith = (start: string, isFitting = (_place: number): boolean => true): readonly string[] =>
  Array.from({ length: count }, (_none, index) => index + 1)
    .filter(isFitting)
    .map((place) => `sub-${place}`)
    .filter((id) => id.startsWith(start));

async function allPages(search: string, sort: string, state: 'ended' | null = null): Promise<readonly string[]> {
  const order = orderOf(relationshipSorts, sort);
  const found: string[] = [];
  let after: readonly string[] | null = null;
  do {
    const rows = await listRelationships(database, storeId, { ...filter, search, state }, { after, limit: 50, order });
    const shown = rows.slice(0, 50);
    found.push(...shown.map(({ relationshipId }) => relationshipId));
    const last = shown.at(-1);
    after = rows.length > 50 && last !== undefined ? keyOf(order, last) : null;
  } while (after !== null);
  return found;
}

test.each([
  ['many near the first row', 'sub-19', '-recorded_at'],
  ['many far from the first row', 'sub-12', '-bound_at'],
  ['many far from the first row, the earliest first', 'sub-19', 'recorded_at'],
  ['one', 'sub-777', '-recorded_at'],
  ['none', 'sub-x', 'bound_at'],
])('a search by the beginning of an ID returns %s, each once and in order', async (_what, search, sort) => {
  const expected = placesWith(search);
  expect(await allPages(search, sort)).toEqual(sort.startsWith('-') ? expected.toReversed() : expected);
});

test('a search keeps the other filters', async () => {
  expect(await allPages('sub-12', 'recorded_at', 'ended')).toEqual(placesWith('sub-12', (place) => place % 10 === 0));
});

test.skipIf(isCluster)('a search for rows far from the first one reads them and no others', async () => {
  const read = await explainQuery(database, (db) =>
    listRelationships(db, storeId, { ...filter, search: 'sub-777' }, { after: null, limit: 50 }),
  );
  // The near rows, the matching ones by the index on the ID, and each in the table.
  expect(totalRowsRead(read)).toBeLessThan(3_000);
});
