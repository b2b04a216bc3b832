/** How many requests of one kind this process answers, and how fast: of the last minute, for who looks at it now. */
export type Traffic = {
  /** Cheap enough for every redirect: some additions, nothing is made. */
  readonly answered: (tookMs: number) => void;
  readonly lastMinute: () => LastMinute;
};

export type LastMinute = {
  readonly count: number;
  /** Over the seconds that the process has run, where it is younger than a minute. */
  readonly perSecond: number;
  /** Half, and 99 of 100, took at most this long: upper bounds of a step, at most a fifth too high. Null: there was none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
};

const seconds = 60;
/** From a tenth of a millisecond on, each step a fifth more: the last holds all above 12 seconds. */
const steps = 65;
const leastMs = 0.1;
const growth = 1.2;
const perStep = 1 / Math.log(growth);

/** What is no time at all (a clock that was put back) is the shortest: it was answered, and counts. */
const stepOf = (ms: number): number => (ms > leastMs ? Math.min(steps - 1, Math.ceil(Math.log(ms / leastMs) * perStep)) : 0);
const upperMsOf = (step: number): number => Number((leastMs * growth ** step).toPrecision(2));

/** A ring of seconds, each with its counts by step. `nowMs` never goes back. */
export function createTraffic(nowMs: () => number): Traffic {
  const counts = new Uint32Array(seconds * steps);
  const secondNow = (): number => Math.floor(nowMs() / 1_000);
  const began = secondNow();
  let newest = began;

  /** What lies more than a minute back makes room. */
  function turnTo(second: number): void {
    const passed = Math.min(second - newest, seconds);
    for (let step = 1; step <= passed; step++) {
      const place = ((newest + step) % seconds) * steps;
      counts.fill(0, place, place + steps);
    }
    if (passed > 0) newest = second;
  }

  return {
    answered(tookMs) {
      const second = secondNow();
      if (second !== newest) turnTo(second);
      const place = (second % seconds) * steps + stepOf(tookMs);
      counts[place] = (counts[place] ?? 0) + 1;
    },
    lastMinute() {
      const second = secondNow();
      turnTo(second);
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
