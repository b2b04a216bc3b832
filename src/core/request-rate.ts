/** The request rate and latency of one kind of request in this process over the last minute. */
export type RequestRate = {
  /** Cheap enough for every redirect: a few additions and no allocation. */
  readonly record: (tookMs: number) => void;
  readonly lastMinute: () => LastMinute;
};

export type LastMinute = {
  readonly count: number;
  /** Averaged over the uptime if the process is younger than a minute. */
  readonly perSecond: number;
  /** Latency percentiles as the upper bound of a histogram bucket, at most 20 percent too high. Null if there were no requests. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
};

const seconds = 60;
/** Buckets start at 0.1 ms and grow by 20 percent; the last one holds everything above 12 seconds. */
const steps = 65;
const leastMs = 0.1;
const growth = 1.2;
const perStep = 1 / Math.log(growth);

/** A duration of zero or less (the clock was set back) counts in the first bucket. */
const stepOf = (ms: number): number => (ms > leastMs ? Math.min(steps - 1, Math.ceil(Math.log(ms / leastMs) * perStep)) : 0);
const upperMsOf = (step: number): number => Number((leastMs * growth ** step).toPrecision(2));

/** A ring buffer of seconds, each with its counts per bucket. `nowMs` must not go back. */
export function createRequestRate(nowMs: () => number): RequestRate {
  const counts = new Uint32Array(seconds * steps);
  const secondNow = (): number => Math.floor(nowMs() / 1_000);
  const began = secondNow();
  let newest = began;

  /** Clears the seconds that are more than a minute old. */
  function advanceTo(second: number): void {
    const passed = Math.min(second - newest, seconds);
    for (let step = 1; step <= passed; step++) {
      const place = ((newest + step) % seconds) * steps;
      counts.fill(0, place, place + steps);
    }
    if (passed > 0) newest = second;
  }

  return {
    record(tookMs) {
      const second = secondNow();
      if (second !== newest) advanceTo(second);
      const place = (second % seconds) * steps + stepOf(tookMs);
      counts[place] = (counts[place] ?? 0) + 1;
    },
    lastMinute() {
      const second = secondNow();
      advanceTo(second);
      const byStep = Array.from({ length: steps }, (_, step) => {
        let sum = 0;
        for (let at = 0; at < seconds; at++) sum += counts[at * steps + step] ?? 0;
        return sum;
      });
      const count = byStep.reduce((sum, one) => sum + one, 0);
      const age = Math.max(1, Math.min(seconds, second - began + 1));
      return { count, perSecond: count / age, p50Ms: msAt(byStep, count / 2), p99Ms: msAt(byStep, count * 0.99) };
    },
  };
}

function msAt(byStep: readonly number[], rank: number): number | null {
  let sum = 0;
  for (const [step, count] of byStep.entries()) {
    sum += count;
    if (sum > 0 && sum >= rank) return upperMsOf(step);
  }
  return null;
}
