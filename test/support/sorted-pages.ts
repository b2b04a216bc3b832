import { expect } from 'vitest';
import type { ApiClient } from './portal.ts';
import type { Json } from './merchant.ts';

export type SortedList = {
  readonly path: string;
  readonly sort: string;
  /** The value of the row that the list is sorted by. Null is last in both directions. */
  readonly value: (row: Json) => string | number | null;
  /** What breaks ties. */
  readonly id: (row: Json) => string;
  /** False if the sort is by the ID, so that there are no ties. */
  readonly hasTies?: boolean;
};

/** All rows of a list, page by page. */
export async function readSortedPages(ask: ApiClient, path: string, sort: string, limit: number): Promise<readonly Json[]> {
  const rows: Json[] = [];
  const start = `${path}${path.includes('?') ? '&' : '?'}sort=${sort}&limit=${limit}`;
  let cursor = '';
  for (let pages = 0; pages < 100; pages += 1) {
    const { status, text, json } = await ask('GET', `${start}${cursor}`);
    expect(status, text).toBe(200);
    expect(json.data.length).toBeLessThanOrEqual(limit);
    rows.push(...json.data);
    if (json.next_cursor === null) return rows;
    cursor = `&cursor=${json.next_cursor}`;
  }
  throw new Error('the list does not end');
}

/** In both directions, pages of one and of two rows contain each row once, in the order of the value and, in ties, of the ID. */
export async function expectSortedPages(ask: ApiClient, { path, sort, value, id, hasTies = true }: SortedList): Promise<void> {
  const { json } = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=200`);
  const rows: readonly Json[] = json.data;
  expect(rows.length).toBeGreaterThan(2);
  if (hasTies) expect(new Set(rows.map(value)).size).toBeLessThan(rows.length);
  for (const direction of [1, -1])
    for (const limit of [1, 2]) {
      const expected = rows.toSorted(
        (one, other) => compareNullLast(value(one), value(other), direction) || compare(id(one), id(other)) * direction,
      );
      const paged = await readSortedPages(ask, path, direction === 1 ? sort : `-${sort}`, limit);
      expect(paged.map(id)).toEqual(expected.map(id));
    }
}

type Value = string | number | null;

function compareNullLast(one: Value, other: Value, direction: number): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return compare(one, other) * direction;
}

const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);
