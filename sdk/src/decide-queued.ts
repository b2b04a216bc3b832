import { isFixable } from './fixable.ts';
import type { Result } from './send.ts';

type Next =
  | { readonly is: 'settled' }
  | { readonly is: 'refused' }
  | {
      readonly is: 'waits';
      readonly ms: number;
      /** Whether later reports about the same order, subscription, or lead wait for this one. */
      readonly holdsLane: boolean;
    };

const minuteMs = 60_000;
const hourMs = 3_600_000;
const doublingsMax = 6;

/**
 * Decides what happens to a queued report after an attempt: removed, set aside, or retried later. An outage is retried for as long as it
 * lasts, and so is a wrong key until it is replaced: no later report would be accepted either.
 */
export function decideQueued({ failures }: { readonly failures: number }, result: Result): Next {
  if (result.ok) return { is: 'settled' };
  if (isFixable(result)) return { is: 'waits', ms: hourMs, holdsLane: true };
  if (result.retry === 'no') return { is: 'refused' };
  // A dispute may last for weeks, so later reports do not wait for the refund.
  if (result.retry === 'tomorrow') return { is: 'waits', ms: result.retryAfterMs, holdsLane: false };
  const ms = Math.max(result.retryAfterMs, Math.min(hourMs, minuteMs * 2 ** Math.min(failures, doublingsMax)));
  return { is: 'waits', ms, holdsLane: true };
}
