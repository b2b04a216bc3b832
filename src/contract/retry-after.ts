import { secondMs } from '../core/time.ts';

const waitSecondsMin = 2;
const waitSecondsMax = 30;

/** Gives each rejected request a different time to retry, because senders that all waited equally long would be rejected once more. */
export function createRetryAfter(requestsPerSecond: number): (nowMs: number) => number {
  let nextFreeAt = 0;
  return (nowMs) => {
    const first = nowMs + waitSecondsMin * secondMs;
    const last = nowMs + waitSecondsMax * secondMs;
    const retryAt = Math.min(last, Math.max(first, nextFreeAt));
    nextFreeAt = retryAt + secondMs / requestsPerSecond;
    return Math.ceil((retryAt - nowMs) / secondMs);
  };
}
