import { expect, test } from 'vitest';
import { positionAfter, positionBefore, readSearchParams, type PagePosition } from './search-params.ts';

test('URL parameters are read as text, whatever their type', () => {
  const search = { q: 1001, held: true, state: 'pending', from: '', to: null, cursor: ['x'], other: 'unknown' };
  expect(readSearchParams(search, ['q', 'held', 'state', 'from', 'to', 'cursor', 'missing'])).toEqual({
    q: '1001',
    held: 'true',
    state: 'pending',
  });
});

test('going forward and back returns to the same page, over many pages', () => {
  const forth: PagePosition[] = [{}];
  for (const next of ['a', 'b', 'c', 'd']) forth.push(positionAfter(forth.at(-1) ?? {}, next));
  expect(forth.at(-1)).toEqual({ cursor: 'd', back: 'a.b.c' });
  const back: PagePosition[] = [forth.at(-1) ?? {}];
  for (let step = 0; step < 4; step++) back.push(positionBefore(back.at(-1) ?? {}));
  expect(back).toEqual(forth.toReversed());
});

test('the URL is bounded: after twenty pages back comes the first page', () => {
  let at: PagePosition = {};
  for (let page = 0; page < 100; page++) at = positionAfter(at, `c${page}`);
  expect(at.back?.split('.')).toHaveLength(20);
  for (let page = 0; page < 21; page++) at = positionBefore(at);
  expect(at).toEqual({});
});
