import type { Operation, Reason, RefundOperation, LeadOperation, Refusal } from '../contract/reasons.ts';
import { reasonRow } from '../contract/reasons.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead, type Timestamp } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';

/** These four operations share one space of event IDs per store. */
export type RecurringOperation = Exclude<Operation, 'conversion' | 'reversal' | RefundOperation | LeadOperation>;

/** The answer to an accepted event and to its replays. */
export type Answer = {
  readonly reason: 'recorded' | 'no_matching_subscription_rule';
  readonly eventId: Id<'evt'> | null;
  readonly bindingId: Id<'bind'> | null;
  readonly commissionId: Id<'com'> | null;
};

/** The event already stored with this ID. Null answer: it was refused, and can never succeed. */
export type EarlierEvent = { readonly receivedAt: Date; readonly isSame: boolean; readonly answer: Answer | null };

export type Refused = { readonly do: 'refuse'; readonly reason: Refusal; readonly message?: string; readonly why: Why };
export type Repeated = { readonly do: 'repeat'; readonly answer: Answer; readonly why: Why };

export const refuseEvent = (reason: Refusal, why: Why): Refused => ({ do: 'refuse', reason, why });

/** Check 8, the same for all four operations: a replay gives the first answer, however late it arrives. */
export function decideRepeat({ receivedAt, isSame, answer }: EarlierEvent): Refused | Repeated {
  const why = { first_recorded_at: receivedAt.toISOString() };
  if (!isSame) return refuseEvent('duplicate_event_conflict', why);
  if (answer === null) return refuseEvent('duplicate_event', why);
  return { do: 'repeat', answer, why };
}

/** The time of an event, or the time of receipt if it has none. Limits are inclusive. */
export function eventTime(given: Timestamp | null, now: Date): Date | Refused {
  if (given === null) return now;
  if (given === 'unreadable') return refuseEvent('invalid_occurred_at', {});
  const compared = { occurred_at: given.toISOString(), received_at: now.toISOString() };
  if (isTooFarAhead(given, now)) return refuseEvent('invalid_occurred_at', compared);
  if (!isOlderThanDays(given, { now, daysMax: eventAgeDaysMax })) return given;
  return refuseEvent('invalid_occurred_at', { ...compared, age_days_max: eventAgeDaysMax });
}

/** A remembered refusal can never succeed when sent again. Other refusals store nothing. */
export const isRefusalRemembered = (reason: Reason): boolean => reasonRow(reason).remembered === true;

export const recorded = (ids: Partial<Omit<Answer, 'reason'>>): Answer => ({
  reason: 'recorded',
  eventId: null,
  bindingId: null,
  commissionId: null,
  ...ids,
});
