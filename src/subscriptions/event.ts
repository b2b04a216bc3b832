import type { Operation, Reason, Refusal } from '../contract/reasons.ts';
import { rowOf } from '../contract/reasons.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead, type Timestamp } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import type { Id } from '../platform/ids.ts';

/** One event id is one event per store, across these four. */
export type RecurringOperation = Exclude<Operation, 'conversion' | 'reversal'>;

/** What an accepted event was answered with, and is answered again. */
export type Answer = {
  readonly reason: 'recorded' | 'no_matching_subscription_rule';
  readonly eventId: Id<'evt'> | null;
  readonly bindingId: Id<'bind'> | null;
  readonly commissionId: Id<'com'> | null;
};

/** An event that was kept under this id before. Null answer: it was refused, and is burned. */
export type EarlierEvent = { readonly receivedAt: Date; readonly isSame: boolean; readonly answer: Answer | null };

export type Refused = { readonly do: 'refuse'; readonly reason: Refusal; readonly why: Why };
export type Repeated = { readonly do: 'repeat'; readonly answer: Answer; readonly why: Why };

export const refuse = (reason: Refusal, why: Why): Refused => ({ do: 'refuse', reason, why });

/** Gate 8, the same for all four: a replay gives the first answer, however much later it comes and whatever else is wrong by then. */
export function decideAgain({ receivedAt, isSame, answer }: EarlierEvent): Refused | Repeated {
  const why = { first_recorded_at: receivedAt.toISOString() };
  if (!isSame) return refuse('duplicate_event_conflict', why);
  if (answer === null) return refuse('duplicate_event', why);
  return { do: 'repeat', answer, why };
}

/** When an event happened: the time of receipt where it does not say. Limits are inclusive. */
export function eventTime(given: Timestamp | null, now: Date): Date | Refused {
  if (given === null) return now;
  if (given === 'unreadable') return refuse('invalid_occurred_at', {});
  const compared = { occurred_at: given.toISOString(), received_at: now.toISOString() };
  if (isTooFarAhead(given, now)) return refuse('invalid_occurred_at', compared);
  if (!isOlderThanDays(given, { now, daysMax: eventAgeDaysMax })) return given;
  return refuse('invalid_occurred_at', { ...compared, age_days_max: eventAgeDaysMax });
}

/** Sent again, it can never succeed. All other refusals leave nothing behind. */
export const isBurned = (reason: Reason): boolean => rowOf(reason).remembered === true;

export const recorded = (ids: Partial<Omit<Answer, 'reason'>>): Answer => ({
  reason: 'recorded',
  eventId: null,
  bindingId: null,
  commissionId: null,
  ...ids,
});
