import type { Why } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';
import { decideRepeat, eventTime, recorded, refuseEvent, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
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
  /** A repeated end keeps the first one. */
  | { readonly do: 'ended before'; readonly answer: Answer; readonly why: Why }
  | Repeated
  | Refused;

/** The rules of the contract for an end, in their order; the first match wins. An open review stays open. */
export function decideEnd(report: EndReport, { earlier, relationship, now, fresh }: EndFacts): EndDecision {
  if (earlier) return decideRepeat(earlier);
  const occurredAt = eventTime(report.occurredAt, now);
  if (!(occurredAt instanceof Date)) return occurredAt;
  if (relationship === null) return refuseEvent('unknown_relationship', {});
  const { environment } = relationship.attribution;
  if (report.environment !== environment) return refuseEvent('environment_mismatch', { environment });
  const answer = recorded({ eventId: fresh.eventId });
  const { lifecycle } = relationship;
  if (lifecycle.state === 'ended')
    return { do: 'ended before', answer, why: { ended_at: (lifecycle.occurredAt ?? lifecycle.recordedAt).toISOString() } };
  const own = report.occurredAt === null ? null : occurredAt;
  return {
    do: 'end',
    answer,
    relationship: { ...relationship, lifecycle: { state: 'ended', recordedAt: now, occurredAt: own, reason: report.reason } },
    why: { occurred_at: occurredAt.toISOString() },
  };
}
