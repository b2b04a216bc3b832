import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { releaseMemoryWhenIdle } from './release-memory.ts';

const checkMs = 5_000;

/** Counts the collections instead of making them. */
function countCollections(): () => number {
  const collect = vi.fn<() => void>();
  replace(globalThis, 'gc', collect);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => collect.mock.calls.length;
}

function replace(system: object, name: string, by: () => unknown): void {
  const before: unknown = Reflect.get(system, name);
  Reflect.set(system, name, by);
  onTestFinished(() => void Reflect.set(system, name, before));
}

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('memory of the start is released once, when the process has been idle between two checks', async () => {
  const collections = countCollections();
  const cancel = releaseMemoryWhenIdle();
  beBusy(100);
  vi.advanceTimersByTime(checkMs);
  expect(collections()).toBe(0);
  await pause(1_000);
  vi.advanceTimersByTime(checkMs);
  expect(collections()).toBe(1);
  await pause(200);
  vi.advanceTimersByTime(3 * checkMs);
  expect(collections()).toBe(1);
  await cancel();
});

test('memory of a load is released after an idle minute, but not in a pause between requests', async () => {
  const collections = countCollections();
  const system = { utilization: 0, megabytes: 150 };
  replace(performance, 'eventLoopUtilization', () => system);
  replace(process.memoryUsage, 'rss', () => system.megabytes * 2 ** 20);
  const check = (state: Partial<typeof system>, checks = 1) => {
    Object.assign(system, state);
    vi.advanceTimersByTime(checks * checkMs);
    return collections();
  };
  const cancel = releaseMemoryWhenIdle();
  expect(check({ utilization: 0 })).toBe(1);
  // The system returns pages some time after the collection.
  expect(check({ megabytes: 140 }, 20)).toBe(1);
  expect(check({ megabytes: 110 }, 20)).toBe(1);
  expect(check({ megabytes: 141 }, 20)).toBe(1);
  expect(check({ utilization: 0.5, megabytes: 240 }, 20)).toBe(1);
  expect(check({ utilization: 0.01 }, 11)).toBe(1);
  expect(check({ utilization: 0.06 })).toBe(1);
  expect(check({ utilization: 0.01 }, 11)).toBe(1);
  expect(check({})).toBe(2);
  expect(check({ megabytes: 160 }, 20)).toBe(2);
  await cancel();
});

test('nothing is released after the service has stopped', async () => {
  const collections = countCollections();
  const cancel = releaseMemoryWhenIdle();
  await cancel();
  await pause(200);
  vi.advanceTimersByTime(3 * checkMs);
  expect(collections()).toBe(0);
});
