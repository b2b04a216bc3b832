import type { ReactNode } from 'react';

/** An event of a conversion, past or expected. */
export type TimelineEvent = {
  readonly key: string;
  readonly at: string;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly tone?: 'good' | 'wait' | 'bad';
};

/**
 * Earliest first. Events of the same millisecond keep their given order, which is the order of cause and effect: with a refund hold of
 * 0 days an order, its report, and its approval can share one time.
 */
export const sortEvents = (moments: readonly TimelineEvent[]): readonly TimelineEvent[] =>
  moments.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
