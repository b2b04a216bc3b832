import { dayMs, hourMs, minuteMs, secondMs } from '../core/time.ts';
import type { EventEnd, Handled } from './event-end.ts';

export type EventFacts = {
  readonly now: Date;
  readonly receivedAt: Date;
  /** Of this event, including the one that just ended. */
  readonly attempts: number;
};

/** Reasons for which an event is ignored although it is about money: the merchant can do something about them. */
const failures: ReadonlySet<string> = new Set(['unreadable', 'not_usd', 'no_plan']);

/** What is missing may still come: an order after its refund, or a key. */
const waitMaxMs: Readonly<Record<string, number>> = {
  stripe_key_missing: hourMs,
  stripe_object_missing: hourMs,
  shopify_order_missing: hourMs,
  unknown_order: hourMs,
};
const waitMaxUsualMs = 30 * dayMs;

const pausesMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs];

/** The rules in their order; the first match wins. */
export function decideEventEnd({ outcome, reason, message }: Handled, { now, receivedAt, attempts }: EventFacts): EventEnd {
  const ended = { reason, message, tryAt: now, endedAt: now };
  if (outcome === 'done') return { state: 'done', isFinal: true, ...ended };
  if (outcome === 'ignored') return { state: failures.has(reason) ? 'failed' : 'ignored', isFinal: true, ...ended };
  // Most promotion codes of a store belong to no creator, and the merchant has nothing to correct.
  if (outcome === 'refused' && reason === 'missing_referral_click') return { state: 'ignored', isFinal: true, ...ended };
  // Another process may be recording the order at this moment.
  if (outcome === 'refused' && reason !== 'unknown_order') return { state: 'failed', isFinal: false, ...ended };
  const waitedMs = now.getTime() - receivedAt.getTime();
  if (waitedMs >= (waitMaxMs[reason] ?? waitMaxUsualMs)) return { state: 'failed', isFinal: false, ...ended };
  const pauseMs = outcome === 'held' ? dayMs : (pausesMs[attempts - 1] ?? hourMs);
  return { state: 'waiting', isFinal: false, reason, message, tryAt: new Date(now.getTime() + pauseMs), endedAt: null };
}
