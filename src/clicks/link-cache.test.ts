import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLinkCache } from './link-cache.ts';

const brieflyFresh = { freshMs: 1_000 };
/** Longer than that. */
const staleMs = 1_100;

/** A database that can be changed, frozen and broken by hand. A link stays fresh on a busy machine too, unless a test waits for its end. */
function table(links: Record<string, string>, { freshMs = 600_000, refreshAfterMs = 600_000 } = {}) {
  const state = {
    links: new Map(Object.entries(links)),
    lookUps: [] as string[][],
    mood: 'well' as 'well' | 'frozen' | 'broken',
    frozenNode: null as string | null,
    /** Answers wait for it. */
    held: Promise.resolve(),
  };
  const respond = async () => {
    if (state.mood === 'frozen') await pause(10_000, undefined, { ref: false });
    if (state.mood === 'broken') throw new Error('away');
    await pause(5);
    await state.held;
  };
  const load = async (codes: readonly string[]) => {
    state.lookUps.push([...codes]);
    if (state.frozenNode !== null && codes.some((code) => code.startsWith(`${state.frozenNode}`))) await new Promise(() => {});
    await respond();
    return new Map(codes.flatMap((code) => (state.links.has(code) ? [[code, state.links.get(code) ?? '']] : [])));
  };
  const locate = async (codes: readonly string[]) => {
    await respond();
    return new Map(codes.filter((code) => state.links.has(code)).map((code) => [code, code]));
  };
  const nodeOf = (code: string) => code.slice(0, 1);
  return {
    state,
    cache: createLinkCache({ locate, nodeOf, load, freshMs, refreshAfterMs, refreshWaitMs: 600, loadWaitMs: 1_200, linksMax: 3 }),
  };
}

test('a node that does not answer delays no link of another node', async () => {
  const { state, cache } = table({ a: 'one', b: 'two' });
  state.frozenNode = 'a';
  const [frozen, answered] = await Promise.all([cache.get('a'), cache.get('b')]);
  expect(frozen).toEqual({ is: 'unavailable' });
  expect(answered).toEqual({ is: 'link', link: 'two' });
});

test('serves a cached link while it is fresh', async () => {
  const { state, cache } = table({ a: 'one' });
  expect(await cache.get('a')).toEqual({ is: 'link', link: 'one' });
  state.links.set('a', 'two');
  expect(await cache.get('a')).toEqual({ is: 'link', link: 'one' });
  expect(state.lookUps.length).toBe(1);
});

test('refreshes a link that is no longer fresh', async () => {
  const { state, cache } = table({ a: 'one' }, brieflyFresh);
  expect(await cache.get('a')).toEqual({ is: 'link', link: 'one' });
  state.links.set('a', 'two');
  // A busy machine may answer too late for one visitor, who then gets the link as it was.
  await expect.poll(() => cache.get('a')).toEqual({ is: 'link', link: 'two' });
});

const refreshedEarly = { freshMs: 600_000, refreshAfterMs: 300_000 };
/** When such a link is still fresh, but old enough to be looked up in the background. */
const later = () => performance.now() + 400_000;

test('looks up a link that is still fresh once, in the background', async () => {
  const { state, cache } = table({ a: 'one' }, refreshedEarly);
  await cache.get('a');
  state.links.set('a', 'two');
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  for (let visit = 0; visit < 3; visit++) {
    expect(cache.fresh('a', later())).toEqual({ is: 'link', link: 'one' });
    await pause(5);
  }
  expect(state.lookUps.length).toBe(2);
  held.resolve();
  await expect.poll(() => cache.fresh('a', performance.now())).toEqual({ is: 'link', link: 'two' });
  await pause(50);
  expect(state.lookUps.length).toBe(2);
});

test('a look-up that fails in the background leaves the link, and the next visit begins another', async () => {
  const { state, cache } = table({ a: 'one' }, refreshedEarly);
  await cache.get('a');
  state.links.set('a', 'two');
  state.mood = 'broken';
  cache.fresh('a', later());
  await expect.poll(() => state.lookUps.length).toBe(2);
  await pause(20);
  expect(cache.fresh('a', performance.now())).toEqual({ is: 'link', link: 'one' });
  state.mood = 'well';
  expect(cache.fresh('a', later())).toEqual({ is: 'link', link: 'one' });
  await expect.poll(() => cache.fresh('a', performance.now())).toEqual({ is: 'link', link: 'two' });
});

test('a visit by a link that is no longer fresh waits for the look-up in the background instead of another', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { state, cache } = table({ a: 'one' }, { freshMs: 1_000, refreshAfterMs: 700 });
  await cache.get('a');
  state.links.set('a', 'two');
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  vi.advanceTimersByTime(700);
  expect(cache.fresh('a', performance.now())).toEqual({ is: 'link', link: 'one' });
  vi.advanceTimersByTime(300);
  expect(cache.fresh('a', performance.now())).toBeNull();
  const visit = cache.get('a');
  await pause(5);
  held.resolve();
  expect(await visit).toEqual({ is: 'link', link: 'two' });
  expect(state.lookUps.length).toBe(2);
});

test('a visit does not wait for a look-up that began too long ago', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { state, cache } = table({ a: 'one' }, { freshMs: 1_000, refreshAfterMs: 700 });
  await cache.get('a');
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  vi.advanceTimersByTime(700);
  cache.fresh('a', performance.now());
  await pause(5);
  vi.advanceTimersByTime(1_000);
  const visit = cache.get('a');
  await pause(5);
  state.links.set('a', 'two');
  held.resolve();
  expect(await visit).toEqual({ is: 'link', link: 'two' });
  expect(state.lookUps.length).toBe(3);
});

test('looks up codes of concurrent requests in one statement', async () => {
  const { state, cache } = table({ a1: 'one', a2: 'two' });
  await Promise.all(['a1', 'a2', 'a1', 'a2', 'x'].map((code) => cache.get(code)));
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
    const { state, cache } = table({ a: 'one' }, brieflyFresh);
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

test('a known link that is evicted while its look-up does not end still redirects', async () => {
  const { state, cache } = table({ a: '1', b: '2', c: '3', d: '4' }, brieflyFresh);
  await cache.get('a');
  await pause(staleMs);
  state.frozenNode = 'a';
  const visit = cache.get('a');
  for (const code of ['b', 'c', 'd']) await cache.get(code);
  expect(await visit).toEqual({ is: 'link', link: '1' });
});

test('removes a deleted link', async () => {
  const { state, cache } = table({ a: 'one' }, brieflyFresh);
  await cache.get('a');
  state.links.delete('a');
  await pause(staleMs);
  expect(await cache.get('a')).toEqual({ is: 'unknown' });
});

test('while the database is frozen, at most ten rounds of look-ups wait, and known links still redirect', async () => {
  const { state, cache } = table({ a: 'one' }, brieflyFresh);
  await cache.get('a');
  await pause(staleMs);
  state.mood = 'frozen';
  const codes = Array.from({ length: 10_001 }, (_, at) => `x${at}`);
  const waiting = codes.slice(0, -1).map((code) => cache.get(code));
  const began = performance.now();
  expect(await cache.get(codes.at(-1) ?? '')).toEqual({ is: 'unavailable' });
  expect(performance.now() - began, 'it does not wait').toBeLessThan(600);
  expect(await cache.get('a')).toEqual({ is: 'link', link: 'one' });
  expect(new Set((await Promise.all(waiting)).map(({ is }) => is))).toEqual(new Set(['unavailable']));
});
