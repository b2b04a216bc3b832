import { appendFileSync } from 'node:fs';
import { env } from 'node:process';

/**
 * How much of each thing is tried: by `npm test`, so that it takes minutes, and by `npm run test:hard`, so that chance has its
 * chances. What differs between the two stands here and nowhere else. test:hard is told in the environment, by scripts/test-hard.ts.
 */
const sizes = {
  histories: { usual: 300, hard: 10_000 },
  /** Histories that are lived side by side, each on a service of its own: one waits for its database half of the time. */
  historyLanes: { usual: 1, hard: 2, least: 2 },
  /** The four races that the money hangs on: copies of an order, orders on a click, a reversal against its bill, runs at once. */
  races: { usual: 30, hard: 1_000, least: 30 },
  /** Fewer, and it may be the same one who wins each time. */
  otherRaces: { usual: 12, hard: 120, least: 12 },
  killsOfTheService: { usual: 10, hard: 200 },
  killsOfTheDatabase: { usual: 3, hard: 40 },
  /** Lives of the same kind, with other amounts and a second death by chance. */
  seedsOfDeaths: { usual: 1, hard: 3 },
  realDeaths: { usual: 3, hard: 50 },
  hostile: { usual: 3_000, hard: 100_000 },
  /** Of tens of thousands of cases: every parameter of every operation, each with some thirty values. */
  parameters: { usual: 1_500, hard: 60_000 },
  /** Pages, pasted commands, files and texts that were made to take long. */
  hostileInputs: { usual: 60, hard: 1_000, least: 60 },
  /** Each text of each body with each text that cannot be stored. */
  unstorableTexts: { usual: 400, hard: 20_000 },
  pathValues: { usual: 600, hard: 10_000 },
  foreignCursors: { usual: 300, hard: 10_000, least: 300 },
  headers: { usual: 800, hard: 20_000, least: 300 },
  /** For each operation that ends something. */
  endings: { usual: 8, hard: 500, least: 4 },
  databaseFaults: { usual: 1, hard: 10 },
  overloadSeconds: { usual: 10, hard: 120 },
  /** Ten times the 1,000 requests that may be under way. */
  crowd: { usual: 3_000, hard: 10_000 },
  drippingSockets: { usual: 200, hard: 2_000 },
  slowWindows: { usual: 2, hard: 7, least: 3 },
  /** Random sequences by a merchant and a creator who agree. */
  collusions: { usual: 2, hard: 200 },
  swaps: { usual: 200, hard: 20_000 },
} as const satisfies Readonly<Record<string, Size>>;
/** `least`: where fewer of them show nothing, however small the scale is. */
type Size = { readonly usual: number; readonly hard: number; readonly least?: number };

/** Time limits hold where nothing else runs beside: `npm test` runs three files at once. */
export const isHard = env['TEST_HARD'] === '1';

/** A limit of time as it is promised; among all other tests only what hangs is told from what is slow. */
export const within = (promisedMs: number): number => (isHard ? promisedMs : promisedMs + lateMsMax);
const lateMsMax = 20_000;

const scale = Number(env['TEST_SCALE'] ?? 1);

export function sizeOf(what: keyof typeof sizes): number {
  const { usual, hard, least = 1 }: Size = sizes[what];
  return isHard ? Math.max(least, Math.round(hard * scale)) : usual;
}

const seedsBelow = 2 ** 31;

/** All chance of a run comes from it: the same seed sends the same requests again. `SEED=…` for the one that was printed. */
export const seed: number = env['SEED'] === undefined ? Math.floor(Math.random() * seedsBelow) : Number(env['SEED']);

/** mulberry32: small, fast, and the same on every machine. Numbers from 0 up to 1. */
export function chanceFrom(start: number): Chance {
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
export type Chance = {
  readonly below: (limit: number) => number;
  readonly isOneIn: (times: number) => boolean;
  readonly oneOf: <Value>(from: readonly Value[]) => Value;
};

/** A line of the proof: what was done how often, and what came out. `must` is the limit that the test held it against. */
export type Figure = { readonly what: string; readonly came: string; readonly must?: string };

/** Told to whoever runs the hard tests, who prints and keeps it; nobody listens otherwise. */
export function tellFigure(figure: Figure): void {
  const file = env['TEST_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...figure, seed })}\n`);
}

/** The middle, nearly all, and the worst, in whole milliseconds. */
export function spreadOf(tookMs: readonly number[]): { readonly p50: number; readonly p99: number; readonly max: number } {
  const sorted = [...tookMs].sort((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export const inWords = ({ p50, p99, max }: ReturnType<typeof spreadOf>): string => `p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`;
