import { dayMs, hourMs, minuteMs, secondMs } from '../platform/time.ts';

/**
 * The pauses after each failure: ten attempts within 76 hours. An outage of a weekend loses nothing, and one of a minute
 * is hardly noticed.
 */
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

/** An endpoint that took nothing for so long is left alone until somebody switches it on again. */
export const failingDaysMax = 5;

export type Attempted = {
  /** The status that was answered; null where there was no answer. */
  readonly status: number | null;
  /** This attempt among those of its round, from 1 on. */
  readonly tries: number;
  /** The endpoint's first failure since its last success; null where this is the first. */
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
  // By the standard: the receiver is gone and wants nothing any more.
  if (status === 410) return { do: 'disable', why: 'gone' };
  if (failingSince !== null && now.getTime() - failingSince.getTime() >= failingDaysMax * dayMs) return { do: 'disable', why: 'failing' };
  const pauseMs = pausesMs[tries - 1];
  if (pauseMs === undefined) return { do: 'give up' };
  return { do: 'try again', at: new Date(now.getTime() + pauseMs) };
}
