import type { Comparison } from './comparisons.ts';
import type { Weighed } from './service.ts';
import { ratiosOfMeasured, type Measured } from './queries.ts';
import { median, ratiosOf } from './report.ts';

/** One row of the table of speeds, whichever tool measured it. */
export type SpeedRow = {
  readonly what: string;
  readonly sizes: string;
  /** The two sides of the ratio; null for a value without a comparison. */
  readonly ratio: string | null;
  readonly unit: string;
  readonly rounds: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly aim: { readonly least: number } | { readonly most: number };
  readonly isReached: boolean;
  /** When false, no ratio is reported, because the two did not do the same work. */
  readonly isHonest: boolean;
};

type Values = { readonly values: readonly number[] } & Omit<SpeedRow, 'rounds' | 'median' | 'min' | 'max' | 'isReached'>;

function speedRow({ values, ...row }: Values): SpeedRow {
  const middle = median(values);
  const isReached = row.isHonest && ('least' in row.aim ? middle >= row.aim.least : middle <= row.aim.most);
  return { ...row, rounds: values.length, median: middle, min: Math.min(...values), max: Math.max(...values), isReached };
}

/** The targets, and the check that latency is no worse than with row-by-row writes. */
export function rowsOfComparison({ what, rowsBefore, results, aims, isHonest }: Comparison): readonly SpeedRow[] {
  const [ours, ...others] = results;
  if (ours === undefined) return [];
  const sizes = rowsBefore === 0 ? 'on a fresh install' : `with ${rowsBefore.toLocaleString('en')} clicks`;
  const speeds = aims.flatMap(({ than, least }) => {
    const other = others.find(({ name }) => name === than);
    if (other === undefined) return [];
    return [speedRow({ what, sizes, ratio: `ours / ${than}`, unit: 'times', values: ratiosOf(ours, other), aim: { least }, isHonest })];
  });
  const naive = others.find(({ rows }) => rows !== null);
  if (naive === undefined) return speeds;
  const values = ours.p99Ms.map((ms, round) => Math.round((100 * ms) / Math.max(0.1, naive.p99Ms[round] ?? ms)) / 100);
  const p99 = { what, sizes, ratio: `p99 of ours / of ${naive.name}`, unit: 'times', values, aim: { most: 1 }, isHonest };
  return [...speeds, speedRow(p99)];
}

export function rowOfMeasured(measured: Measured): SpeedRow {
  const { what, sizes, ours, other, ratio, aim, isHonest } = measured;
  const [one, another] = ratio === 'ours / other' ? [ours, other] : [other, ours];
  const values = ratiosOfMeasured(measured);
  return speedRow({ what, sizes, ratio: `${one.name} / ${another.name}`, unit: 'times', values, aim, isHonest });
}

export const rowOfWeighed = ({ what, sizes = '', unit, values, most }: Weighed): SpeedRow =>
  speedRow({ what, sizes, ratio: null, unit, values, aim: { most }, isHonest: true });

export function describeWeighed(weighed: Weighed): string {
  const { what, sizes, unit, median: middle, min, max, isReached } = rowOfWeighed(weighed);
  return `\n${what}${sizes && `, ${sizes}`}: ${middle} ${unit} (${min}–${max})   aim at most ${weighed.most}: ${isReached ? 'reached' : 'MISSED'}`;
}
