import { performance } from 'node:perf_hooks';

const checkMs = 5_000;
const idleUtilizationMax = 0.05;
/** After a load: a minute without one. A short pause between requests is not the end of a load. */
const idleChecksAfterLoad = 12;
const grownBytesMin = 32 * 2 ** 20;

/**
 * Returns unused memory to the operating system while the process is idle, because the collection stops the process for a tenth of a
 * second: after five seconds, memory that only the start needed (parsed and compiled sources), and later, after each idle minute, memory
 * that a load needed. V8 does the same under load, so the service runs with `--no-memory-reducer`. Does nothing unless Node runs with
 * `--expose-gc`. Returns a function that cancels it.
 */
export function releaseMemoryWhenIdle(): () => Promise<void> {
  const collect = globalThis.gc;
  let since = performance.eventLoopUtilization();
  let [idleChecks, idleChecksMin] = [0, 1];
  let leastBytes = 0;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    idleChecks = utilization > idleUtilizationMax ? 0 : idleChecks + 1;
    const bytes = process.memoryUsage.rss();
    leastBytes = Math.min(leastBytes, bytes);
    if (idleChecks < idleChecksMin || bytes - leastBytes < grownBytesMin) return;
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    // Pages are returned some seconds after the collection, so the next checks find how little is needed.
    leastBytes = Infinity;
    [idleChecks, idleChecksMin] = [0, idleChecksAfterLoad];
  }, checkMs);
  timer.unref();
  return async () => clearInterval(timer);
}
