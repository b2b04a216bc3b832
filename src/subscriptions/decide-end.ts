import type { Why } from '../contract/why.ts';
import type { Id } from '../platform/ids.ts';
import { decideAgain, eventTime, recorded, refuse, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import type { Relationship } from './relationship.ts';
import type { EndReport } from './report.ts';

export type EndFacts = {
  readonly now: Date;
  readonly earlier: EarlierEvent | null;
  readonly relationship: Relationship | null;
  readonly fresh: { readonly eventId: Id<'evt'> };
};

export type EndDecision =
  | { readonly do: 'end'; readonly answer: Answer; readonly relationship: Relationship; readonly why: Why }
  /** The first end stands. */
  | { readonly do: 'ended before'; readonly answer: Answer; readonly why: Why }
  | Repeated
  | Refused;

/** The whole law of a relationship's end, in the order of the contract. An open review stays open. */
export function decideEnd(report: EndReport, { earlier, relationship, now, fresh }: EndFacts): EndDecision {
  if (earlier) return decideAgain(earlier);
  const occurredAt = eventTime(report.occurredAt, now);
  if (!(occurredAt instanceof Date)) return occurredAt;
  if (relationship === null) return refuse('unknown_relationship', {});
  const { environment } = relationship.claim;
  if (report.environment !== environment) return refuse('environment_mismatch', { environment });
  const answer = recorded({ eventId: fresh.eventId });
  const { life } = relationship;
  if (life.state === 'ended') return { do: 'ended before', answer, why: { ended_at: (life.occurredAt ?? life.recordedAt).toISOString() } };
  const own = report.occurredAt === null ? null : occurredAt;
  return {
    do: 'end',
    answer,
    relationship: { ...relationship, life: { state: 'ended', recordedAt: now, occurredAt: own, reason: report.reason } },
    why: { occurred_at: occurredAt.toISOString() },
  };
}
