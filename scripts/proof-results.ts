import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpeedRow } from '../bench/speed-rows.ts';

/** A line that a test reported: what was done, the result, the limit, and the seed that repeats it. */
export type Measurement = { readonly what: string; readonly measured: string; readonly limit?: string; readonly seed: number };

export type PartResult = {
  readonly part: string;
  readonly passed: boolean;
  readonly tests: { readonly passed: number; readonly failed: number };
  /** The message of a failed test, which includes fast-check's seed and path. */
  readonly failures: readonly { readonly test: string; readonly said: string }[];
  readonly figures: readonly Measurement[];
  readonly seed: number;
  readonly scale: number;
  readonly startedAt: string;
  readonly seconds: number;
  readonly commit: string;
  readonly machine: string;
  /** The CPU load of other processes when the part began: times are meaningful only when it is almost zero. */
  readonly foreignLoad: string;
};

/** Not in git: the results belong to one machine and one run. */
const folderOf = (root: string): string => join(root, '.proof', 'hard');

export function keepResult(root: string, result: PartResult): void {
  mkdirSync(folderOf(root), { recursive: true });
  writeFileSync(join(folderOf(root), `${result.part}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** The last result of each part that ever ran here. */
export function keptResults(root: string): readonly PartResult[] {
  try {
    return readdirSync(folderOf(root)).map((name) => JSON.parse(readFileSync(join(folderOf(root), name), 'utf8')) as PartResult);
  } catch {
    return [];
  }
}

export const measurementsIn = (file: string): readonly Measurement[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Measurement]));

/** For people: the status of the part, then each result. */
export function lineOf({ part, passed, tests, failures, figures, seconds, seed, scale, foreignLoad }: PartResult): string {
  const size = scale === 1 ? '' : `, at ${scale} of its size`;
  const again = passed ? '' : `; again with: npm run test:hard -- ${part} --seed ${seed}${scale === 1 ? '' : ` --scale ${scale}`}`;
  const lines = figures.map(({ what, measured }) => `  ${what}: ${measured}\n`).join('');
  const wrong = failures.map(({ test, said }) => `  FAILED ${test}: ${said.split('\n', 1)[0]}\n`).join('');
  const counts = `${tests.passed} tests passed, ${tests.failed} failed`;
  const how = `${counts} in ${seconds} s, seed ${seed}${size}, others took ${foreignLoad}${again}`;
  return `${passed ? 'good ' : 'WRONG'} ${part}: ${how}\n${wrong}${lines}`;
}

/** The last complete run of the benchmark with its usual sizes. */
export type SpeedResult = {
  readonly startedAt: string;
  readonly commit: string;
  readonly machine: {
    readonly is: string;
    readonly loadBy: string;
    readonly fsyncsPerSecond: { readonly before: number; readonly after: number };
    readonly foreignLoad: { readonly before: string; readonly after: string };
  };
  readonly rows: readonly SpeedRow[];
};

const speedFile = (root: string): string => join(root, '.proof', 'speed.json');

export function keepSpeed(root: string, result: SpeedResult): void {
  mkdirSync(join(root, '.proof'), { recursive: true });
  writeFileSync(speedFile(root), `${JSON.stringify(result, null, 2)}\n`);
}

export function keptSpeed(root: string): SpeedResult | null {
  return existsSync(speedFile(root)) ? (JSON.parse(readFileSync(speedFile(root), 'utf8')) as SpeedResult) : null;
}

/** Whether the tests detected a mutant. */
export type MutantResult = {
  readonly name: string;
  readonly fingerprint: string;
  readonly isMoney: boolean;
  readonly isCaught: boolean;
  /** The first failed test. */
  readonly by: string;
  readonly seconds: number;
  readonly at: string;
  readonly commit: string;
  readonly machine: string;
};

const mutantsFile = (root: string): string => join(root, '.proof', 'mutants.json');

/** The latest result of each mutant. */
export function keepMutant(root: string, result: MutantResult): void {
  mkdirSync(join(root, '.proof'), { recursive: true });
  const others = keptMutants(root).filter(({ name }) => name !== result.name);
  writeFileSync(mutantsFile(root), `${JSON.stringify([...others, result], null, 2)}\n`);
}

export const keptMutants = (root: string): readonly MutantResult[] =>
  existsSync(mutantsFile(root)) ? (JSON.parse(readFileSync(mutantsFile(root), 'utf8')) as MutantResult[]) : [];
