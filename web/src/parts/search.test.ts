import { expect, test } from 'vitest';
import { askedOf, positionAfter, positionBefore, queryOf, readTexts, type Position } from './search.ts';

test('an address is read as texts, whatever its query looks like', () => {
  const search = { q: 1001, held: true, state: 'pending', from: '', to: null, cursor: ['x'], other: 'unknown' };
  expect(readTexts(search, ['q', 'held', 'state', 'from', 'to', 'cursor', 'missing'])).toEqual({
    q: '1001',
    held: 'true',
    state: 'pending',
  });
});

test('a request asks for what is there, and its letters travel whole', () => {
  expect(queryOf({ q: 'a&b=ü %', state: undefined, from: '', limit: 50 })).toBe('?q=a%26b%3D%C3%BC+%25&limit=50');
  expect(queryOf({})).toBe('');
  expect(askedOf('/list', { cursor: undefined })).toBe('/list');
  expect(['/list', '/list?state=open'].map((path) => askedOf(path, { cursor: 'a?b' }))).toEqual([
    '/list?cursor=a%3Fb',
    '/list?state=open&cursor=a%3Fb',
  ]);
});

test('whoever goes on and back is where they were, also over many pages', () => {
  const forth: Position[] = [{}];
  for (const next of ['a', 'b', 'c', 'd']) forth.push(positionAfter(forth.at(-1) ?? {}, next));
  expect(forth.at(-1)).toEqual({ cursor: 'd', back: 'a.b.c' });
  const back: Position[] = [forth.at(-1) ?? {}];
  for (let step = 0; step < 4; step++) back.push(positionBefore(back.at(-1) ?? {}));
  expect(back).toEqual(forth.toReversed());
});

test('an address does not grow for ever: beyond twenty pages back comes the first', () => {
  let at: Position = {};
  for (let page = 0; page < 100; page++) at = positionAfter(at, `c${page}`);
  expect(at.back?.split('.')).toHaveLength(20);
  for (let page = 0; page < 21; page++) at = positionBefore(at);
  expect(at).toEqual({});
});
