import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLinkCache } from './link-cache.ts';

/** Longer than a link is fresh. */
const staleMs = 1_100;

/** A database that can be changed, frozen and broken by hand. */
function table(links: Record<string, string>) {
  const state = { links: new Map(Object.entries(links)), lookUps: [] as string[][], mood: 'well' as 'well' | 'frozen' | 'broken' };
  const load = async (codes: readonly string[]) => {
    state.lookUps.push([...codes]);
    if (state.mood === 'frozen') await pause(10_000, undefined, { ref: false });
    if (state.mood === 'broken') throw new Error('away');
    await pause(5);
    return new Map(codes.flatMap((code) => (state.links.has(code) ? [[code, state.links.get(code) ?? '']] : [])));
  };
  return { state, cache: createLinkCache({ load, freshMs: 1_000, refreshWaitMs: 600, loadWaitMs: 1_200, linksMax: 3 }) };
}

test('serves a cached link while it is fresh, and refreshes it afterwards', async () => {
  const { state, cache } = table({ a: 'one' });
  expect(await cache.get('a')).toEqual({ is: 'link', link: 'one' });
  state.links.set('a', 'two');
  expect(await cache.get('a')).toEqual({ is: 'link', link: 'one' });
  expect(state.lookUps.length).toBe(1);
  await pause(staleMs);
  expect(await cache.get('a')).toEqual({ is: 'link', link: 'two' });
});

test('looks up codes of concurrent requests in one statement', async () => {
  const { state, cache } = table({ a: 'one', b: 'two' });
  await Promise.all(['a', 'b', 'a', 'b', 'x'].map((code) => cache.get(code)));
  expect(state.lookUps.flat().length).toBeLessThanOrEqual(4);
  expect(state.lookUps.length).toBeLessThanOrEqual(2);
});

test('calls a code unknown only after reading the database', async () => {
  const { state, cache } = table({});
  expect(await cache.get('x')).toEqual({ is: 'unknown' });
  state.links.set('x', 'made since');
  expect(await cache.get('x')).toEqual({ is: 'link', link: 'made since' });
  state.mood = 'broken';
  expect(await cache.get('y')).toEqual({ is: 'unavailable' });
});

test.each(['frozen', 'broken'] as const)(
  'while the database is %s, a known link still redirects, and an unknown one is reported as unavailable in time',
  async (mood) => {
    const { state, cache } = table({ a: 'one' });
    await cache.get('a');
    await pause(staleMs);
    state.mood = mood;
    const began = performance.now();
    expect(await cache.get('a')).toEqual({ is: 'link', link: 'one' });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await cache.get('b')).toEqual({ is: 'unavailable' });
  },
);

test('limits its size, and evicts the link that was refreshed longest ago', async () => {
  const { state, cache } = table({ a: '1', b: '2', c: '3', d: '4' });
  for (const code of ['a', 'b', 'c', 'd']) await cache.get(code);
  const before = state.lookUps.length;
  await cache.get('d');
  expect(state.lookUps.length).toBe(before);
  await cache.get('a');
  expect(state.lookUps.length).toBe(before + 1);
});

test('removes a deleted link', async () => {
  const { state, cache } = table({ a: 'one' });
  await cache.get('a');
  state.links.delete('a');
  await pause(staleMs);
  expect(await cache.get('a')).toEqual({ is: 'unknown' });
});
