import { isMendable } from './mendable.ts';
import type { Result } from './send.ts';

type Next =
  | { readonly is: 'settled' }
  | { readonly is: 'refused' }
  | {
      readonly is: 'waits';
      readonly ms: number;
      /** Whether what was added later about the same order or subscription waits for this one. */
      readonly holdsLane: boolean;
    };

const minuteMs = 60_000;
const hourMs = 3_600_000;
const doublingsMax = 6;

/**
 * What becomes of a report that waited, after it was sent: gone, kept apart, or again later. An outage is outwaited, however long it is,
 * and so is a wrong key until somebody changes it: nothing of what comes after it would be taken either.
 */
export function decideQueued({ failures }: { readonly failures: number }, result: Result): Next {
  if (result.ok) return { is: 'settled' };
  if (isMendable(result)) return { is: 'waits', ms: hourMs, holdsLane: true };
  if (result.retry === 'no') return { is: 'refused' };
  // A dispute may last for weeks: what comes after the refund need not wait for it.
  if (result.retry === 'tomorrow') return { is: 'waits', ms: result.retryAfterMs, holdsLane: false };
  const ms = Math.max(result.retryAfterMs, Math.min(hourMs, minuteMs * 2 ** Math.min(failures, doublingsMax)));
  return { is: 'waits', ms, holdsLane: true };
}
