import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { releaseMemoryWhenIdle } from './release-memory.ts';

const checkMs = 5_000;

/** Counts the collections instead of making them. */
function countCollections(): () => number {
  const { gc } = globalThis;
  const collect = vi.fn<() => void>();
  Reflect.set(globalThis, 'gc', collect);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
    Reflect.set(globalThis, 'gc', gc);
  });
  return () => collect.mock.calls.length;
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

test('nothing is released after the service has stopped', async () => {
  const collections = countCollections();
  const cancel = releaseMemoryWhenIdle();
  await cancel();
  await pause(200);
  vi.advanceTimersByTime(3 * checkMs);
  expect(collections()).toBe(0);
});
