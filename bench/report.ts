import { problemsOf, type Comparison, type ContestantResult } from './comparisons.ts';

export function describeComparison({ what, rowsBefore, results, aims, isHonest }: Comparison): string {
  const title = `\n${what}, ${rowsBefore === 0 ? 'on a fresh install' : `with ${rowsBefore.toLocaleString('en')} clicks in the table`}`;
  const lines = results.map(
    ({ name, perSecond, p99Ms, good, bad, rows, early, cpuUsPerAnswer }) =>
      `  ${name.padEnd(24)} ${spread(perSecond)}/s   p99 ${spread(p99Ms)} ms   cpu ${cpuUsPerAnswer} us   ${good} answers` +
      `${rows === null ? '' : `, ${rows} rows`}${bad === 0 ? '' : `, ${bad} BAD`}${early === 0 ? '' : `, ${early} EARLY`}`,
  );
  if (!isHonest) return [title, ...lines, ...results.flatMap(problemsOf).map((problem) => `  NO RATIO: ${problem}`)].join('\n');
  const [ours, ...others] = results;
  const ratios = others.map((other) => {
    const ratio = ours === undefined ? [] : ratiosOf(ours, other);
    const aim = aims.find(({ than }) => than === other.name);
    const verdict = aim === undefined ? '' : `   aim ${aim.least}: ${median(ratio) >= aim.least ? 'reached' : 'MISSED'}`;
    return `  ours / ${other.name.padEnd(24)} ${spread(ratio)}${verdict}`;
  });
  return [title, ...lines, ...ratios].join('\n');
}

/** Compares round by round: both ran in the same minute. */
export const ratiosOf = (ours: ContestantResult, other: ContestantResult): readonly number[] =>
  ours.perSecond.map((value, round) => Math.round((100 * value) / Math.max(1, other.perSecond[round] ?? 1)) / 100);

/** The median. Two decimals are kept exactly. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = low] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return Math.round(500 * (low + high)) / 1_000;
}

const spread = (values: readonly number[]): string => `${median(values)} (${Math.min(...values)}–${Math.max(...values)})`;
