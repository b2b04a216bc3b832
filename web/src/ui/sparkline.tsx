import styles from './sparkline.module.css';

const width = 120;
const height = 28;
const inset = 2;

type SparklineProps = { readonly values: readonly number[] };

/** The course of a metric as a small line. It repeats what the page says in text and in its chart, so screen readers skip it. */
export function Sparkline({ values }: SparklineProps) {
  if (values.length < 2) return null;
  const points = pointsOf(values);
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" data-sparkline>
      <polygon className={styles.area} points={`0,${height} ${points} ${width},${height}`} />
      <polyline className={styles.line} points={points} />
    </svg>
  );
}

/** Zero is at the bottom unless there are negative values, so that a small change of a large metric looks small. */
export function pointsOf(values: readonly number[]): string {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = most - least || 1;
  const step = width / Math.max(1, values.length - 1);
  return values
    .map((value, index) => `${round(index * step)},${round(height - inset - ((value - least) / range) * (height - 2 * inset))}`)
    .join(' ');
}

const round = (value: number): number => Math.round(value * 100) / 100;
