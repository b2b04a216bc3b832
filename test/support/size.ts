import { appendFileSync } from 'node:fs';
import { env } from 'node:process';

/**
 * The sizes of repeated tests: `quick` in `npm test`, so that it takes minutes, `full` in `npm run test:full`, and `hard` in
 * `npm run test:hard`, so that rare interleavings occur. Without `quick`, `npm test` uses `full`. A file whose tests have a `quick` size is
 * listed in test/support/full-run.ts. scripts/test.ts and scripts/test-hard.ts set the environment variables.
 */
export const sizes = {
  histories: { quick: 6, full: 300, hard: 10_000 },
  /** Histories that run in parallel, each on a separate service: each waits for its database half of the time. */
  historyLanes: { full: 1, hard: 2, least: 2 },
  /** The four races that concern money: copies of an order, orders on a click, a reversal against its invoice, and concurrent runs. */
  races: { full: 30, hard: 1_000, least: 30 },
  /** With fewer rounds the same side may win every time. */
  otherRaces: { full: 12, hard: 120, least: 12 },
  killsOfTheService: { quick: 1, full: 10, hard: 200 },
  killsOfTheDatabase: { quick: 1, full: 3, hard: 40 },
  /** Runs of the same kind, with other amounts and a random second crash. */
  crashSeeds: { full: 1, hard: 3 },
  realCrashes: { quick: 1, full: 3, hard: 50 },
  hostile: { full: 3_000, hard: 100_000 },
  /** Every parameter of every operation, each with some thirty values. `full` and `hard` ask all of them. */
  parameters: { quick: 200, full: 60_000, hard: 60_000 },
  /** Pages, pasted commands, files and texts that were built to take long. */
  hostileInputs: { full: 60, hard: 1_000, least: 60 },
  /** Each text field of each body with each text that cannot be stored. */
  unstorableTexts: { quick: 100, full: 400, hard: 20_000 },
  pathValues: { quick: 100, full: 600, hard: 10_000 },
  foreignCursors: { quick: 100, full: 300, hard: 10_000, least: 300 },
  headers: { quick: 150, full: 800, hard: 20_000, least: 300 },
  /** For each operation that ends something. */
  endings: { quick: 4, full: 8, hard: 500, least: 4 },
  databaseOutages: { full: 1, hard: 10 },
  overloadSeconds: { quick: 3, full: 10, hard: 120 },
  /** Ten times the 1,000 requests that may be in progress. */
  concurrentRequests: { quick: 1200, full: 3_000, hard: 10_000 },
  drippingSockets: { full: 200, hard: 2_000 },
  slowWindows: { full: 2, hard: 7, least: 3 },
  /** Random sequences of a merchant and a creator who collude. */
  collusions: { quick: 1, full: 2, hard: 200 },
  swaps: { quick: 60, full: 200, hard: 20_000 },
} as const satisfies Readonly<Record<string, Size>>;
/** `least`: the minimum below which the hard test shows nothing, however small the scale is. */
type Size = { readonly quick?: number; readonly full: number; readonly hard: number; readonly least?: number };

/** Time limits hold only when nothing else runs: `npm test` runs several files in parallel. */
export const isHard = env['TEST_HARD'] === '1';
/** Also true in the hard tests, which contain all cases of the full ones. */
export const isFull = isHard || env['TEST_RUN'] === 'full';

/** The color schemes and widths of accessibility checks: `npm test` checks the width at which contents overflow first. */
export const looks: readonly (readonly [scheme: 'light' | 'dark', width: number])[] = isFull
  ? [
      ['dark', 360],
      ['light', 1440],
    ]
  : [['dark', 360]];

/** A promised time limit; with other tests running, only a hang can be distinguished from slowness. */
export const within = (promisedMs: number): number => (isHard ? promisedMs : promisedMs + lateMsMax);
const lateMsMax = 20_000;

const scale = Number(env['TEST_SCALE'] ?? 1);

export function sizeOf(what: keyof typeof sizes): number {
  const { full, quick = full, hard, least = 1 }: Size = sizes[what];
  if (isHard) return Math.max(least, Math.round(hard * scale));
  return isFull ? full : quick;
}

const seedsBelow = 2 ** 31;

/** The seed of all randomness in a run: the same seed sends the same requests. `SEED=…` repeats a printed one. */
export const seed: number = env['SEED'] === undefined ? Math.floor(Math.random() * seedsBelow) : Number(env['SEED']);

/** mulberry32: small, fast, and the same on every machine. Numbers from 0 up to 1. */
export function randomFrom(start: number): Prng {
  let state = start >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    isOneIn: (times) => below(times) === 0,
    oneOf(from) {
      const chosen = from[below(from.length)];
      if (chosen === undefined) throw new Error('there is something to choose from');
      return chosen;
    },
  };
}
export type Prng = {
  readonly below: (limit: number) => number;
  readonly isOneIn: (times: number) => boolean;
  readonly oneOf: <Value>(from: readonly Value[]) => Value;
};

/** A line of the proof: what was done how often, and the result. `must` is the limit that the test checked. */
export type Measurement = { readonly what: string; readonly measured: string; readonly limit?: string };

/** Passed to the runner of the hard tests, which prints and stores it; other runs ignore it. */
export function reportMeasurement(figure: Measurement): void {
  const file = env['TEST_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...figure, seed })}\n`);
}

/** Median, high percentile, and maximum, in whole milliseconds. */
export function spreadOf(tookMs: readonly number[]): { readonly p50: number; readonly p99: number; readonly max: number } {
  const sorted = [...tookMs].sort((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export const formatSpread = ({ p50, p99, max }: ReturnType<typeof spreadOf>): string => `p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`;
