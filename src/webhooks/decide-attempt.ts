import { dayMs, hourMs, minuteMs, secondMs } from '../core/time.ts';

/** The pauses after each failure: ten attempts within 76 hours, so that an outage of a weekend loses nothing. */
export const pausesMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** An endpoint that failed for this long is disabled until a person enables it again. */
export const failingDaysMax = 5;

export type Attempted = {
  /** The response status; null: no response. */
  readonly status: number | null;
  /** The number of this attempt, from 1. */
  readonly tries: number;
  /** The endpoint's first failure since its last success; null: this is the first. */
  readonly failingSince: Date | null;
  readonly now: Date;
};

export type AttemptEnd =
  | { readonly do: 'keep' }
  | { readonly do: 'try again'; readonly at: Date }
  | { readonly do: 'give up' }
  | { readonly do: 'disable'; readonly why: 'failing' | 'gone' };

export function decideAttempt({ status, tries, failingSince, now }: Attempted): AttemptEnd {
  if (status !== null && status >= 200 && status < 300) return { do: 'keep' };
  // In the Standard Webhooks specification, 410 means that the receiver is gone.
  if (status === 410) return { do: 'disable', why: 'gone' };
  if (failingSince !== null && now.getTime() - failingSince.getTime() >= failingDaysMax * dayMs) return { do: 'disable', why: 'failing' };
  const pauseMs = pausesMs[tries - 1];
  if (pauseMs === undefined) return { do: 'give up' };
  return { do: 'try again', at: new Date(now.getTime() + pauseMs) };
}
