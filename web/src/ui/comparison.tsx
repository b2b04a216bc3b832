import type { Cents } from '../../../sdk/src/exact-json.ts';
import { formats } from '../messages/messages.ts';
import { compareValues } from './compare-values.ts';
import styles from './comparison.module.css';
import { formatPercent, formatUsd } from './format.ts';
import { t } from './messages.ts';

const kinds = {
  money: formatUsd,
  count: (count: Cents) => formats.number(Number(count)),
  /** In basis points; a difference of rates is in percentage points. */
  rate: (basisPoints: Cents) => t.comparison.percentage_points({ points: formats.number(Number(basisPoints) / 100) }),
};

export type ComparisonKind = keyof typeof kinds;

type ComparisonProps = {
  readonly kind: ComparisonKind;
  readonly now: Cents | null;
  /** Null: there is nothing to compare with. */
  readonly before: Cents | null;
  /** False: the metric before covers only a part of its period, so that a percentage would be wrong. */
  readonly isComplete: boolean;
};

/** How a metric changed since an earlier period, in percent and as an amount. Without color, because less may be better. */
export function Comparison({ kind, now, before, isComplete }: ComparisonProps) {
  if (!isComplete || now === null || before === null)
    return <span className={styles.comparison}>{t.comparison.no_full_earlier_period}</span>;
  const { difference, share } = compareValues(now, before);
  if (difference === 0n) return <span className={styles.comparison}>{t.comparison.no_change}</span>;
  const amount = signed(difference, kinds[kind]);
  if (kind === 'rate') return <span className={styles.comparison}>{amount}</span>;
  return (
    <span className={styles.comparison}>
      {share === null ? (
        t.comparison.from_zero({ amount })
      ) : (
        <>
          <strong>{signed(BigInt(share), (basisPoints) => formatPercent(wholePercent(Number(basisPoints))))}</strong> ({amount})
        </>
      )}
    </span>
  );
}

/** From ten percent on, tenths of a percent only distract. */
const wholePercent = (basisPoints: number): number =>
  basisPoints < 1_000 ? Math.round(basisPoints / 10) * 10 : Math.round(basisPoints / 100) * 100;

function signed(value: bigint, format: (size: Cents) => string): string {
  const size = value < 0n ? -value : value;
  return `${value < 0n ? '−' : '+'}${format(size)}`;
}
