import { performance } from 'node:perf_hooks';

const checkMs = 5_000;
const idleUtilizationMax = 0.05;

/**
 * Returns memory that only the start needed (parsed and compiled sources) to the operating system, once, when the process has been idle for
 * five seconds: it stops the process for a tenth of a second. Under load the memory would be needed again. Does nothing unless Node runs
 * with `--expose-gc`. Returns a function that cancels it.
 */
export function releaseMemoryWhenIdle(): () => Promise<void> {
  const collect = globalThis.gc;
  let since = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    if (utilization > idleUtilizationMax) return;
    clearInterval(timer);
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, checkMs);
  timer.unref();
  return async () => clearInterval(timer);
}
