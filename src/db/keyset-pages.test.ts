import { expect, test } from 'vitest';
import { boundedKeysetPages, itself, processBoundedKeysetPages, type KeysetPage } from './keyset-pages.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place);

/** A sorted list, and the pages that were requested from it. */
function listOf(count: number) {
  const requested: Array<KeysetPage<number>> = [];
  const read = async (page: KeysetPage<number>) => {
    requested.push(page);
    return numbers(count)
      .filter((number) => page.after === null || number > page.after)
      .slice(0, page.limit);
  };
  return { requested, read };
}

const bounds = { rowsPerPage: 3, pagesMax: 10 };

test.each([0, 1, 2, 3, 4, 6, 7])('yields each of %i rows once, in order', async (count) => {
  const pages = await Array.fromAsync(boundedKeysetPages(bounds, itself, listOf(count).read));
  expect(pages.flat()).toEqual(numbers(count));
});

test('each page begins after the last key of the previous page', async () => {
  const { requested, read } = listOf(7);
  await processBoundedKeysetPages(bounds, itself, read);
  expect(requested).toEqual([
    { after: null, limit: 3 },
    { after: 2, limit: 3 },
    { after: 5, limit: 3 },
  ]);
});

test('reads at most the given number of pages', async () => {
  const { requested, read } = listOf(100);
  await processBoundedKeysetPages({ rowsPerPage: 3, pagesMax: 2 }, itself, read);
  expect(requested).toHaveLength(2);
});

test('reads the next page only after the previous one was processed, and none after the caller stops', async () => {
  const { requested, read } = listOf(9);
  for await (const page of boundedKeysetPages(bounds, itself, read)) {
    expect(requested).toHaveLength(page[0] === 0 ? 1 : 2);
    if (page[0] === 3) break;
  }
  expect(requested).toHaveLength(2);
});

test('yields one empty page of an empty list', async () => {
  expect(await Array.fromAsync(boundedKeysetPages(bounds, itself, listOf(0).read))).toEqual([[]]);
});
