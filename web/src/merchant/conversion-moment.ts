import type { ReactNode } from 'react';

/** Something that happened to a conversion, or will. */
export type Moment = {
  readonly key: string;
  readonly at: string;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly tone?: 'good' | 'wait' | 'bad';
};

/**
 * Earliest first. Moments of the same millisecond keep the order in which they were given, which is the order of cause and effect: with
 * a refund hold of 0 days an order, its report, and its approval can all carry one time.
 */
export const inOrder = (moments: readonly Moment[]): readonly Moment[] =>
  moments.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
