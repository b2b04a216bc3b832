import type { ReactNode } from 'react';
import { Sparkline } from './sparkline.tsx';
import { Stat } from './stats.tsx';

type MetricProps = {
  readonly name: string;
  readonly value: ReactNode;
  readonly comparison: ReactNode;
  readonly detail?: ReactNode;
  /** The metric by day, oldest first. */
  readonly values: readonly number[];
};

/** A metric of a period: its value, how it changed, and its course. It belongs into `Stats`. */
export const Metric = ({ name, value, comparison, detail, values }: MetricProps) => (
  <Stat
    name={name}
    value={value}
    detail={
      <>
        {comparison}
        {detail}
        <Sparkline values={values} />
      </>
    }
  />
);
