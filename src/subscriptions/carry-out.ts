import type { KeyRing } from '../clicks/signing-keys.ts';
import type { Outcome } from '../contract/reply.ts';
import { contentHash } from '../contract/sameness.ts';
import { leaveBatch, type Attempt } from '../platform/batch-attempts.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { must, never } from '../platform/must.ts';
import { lineOf } from '../tracking/line.ts';
import { concernsItsCreator, keepRefused, type RefusedOrder } from '../creators/refused-sql.ts';
import { keepPostbacks } from '../tracking/sql.ts';
import { writeChanges, type Changes } from './changes.ts';
import { decideBilling } from './decide-billing.ts';
import { decideBind } from './decide-bind.ts';
import { decideEnd } from './decide-end.ts';
import { decideInvoiceReversal } from './decide-invoice-reversal.ts';
import { decideAgain, isBurned, type Answer } from './event.ts';
import type { NewEvent } from './events-sql.ts';
import { loadFacts, type Facts } from './facts.ts';
import { eventKeyOf, relationshipKeyOf, type Item } from './item.ts';
import { outcomeOf, type Decision } from './outcome.ts';
import { eventLists } from './report.ts';

export type CarryOutParts = { readonly database: Database; readonly ring: KeyRing; readonly now: () => Date };
/** Whether its event stands by now, kept by this report or by one before it: then copies of it need only read what was answered. */
export type Judged = { readonly outcome: Outcome; readonly isEventKept: boolean };
type Answers = ReadonlyArray<Judged | typeof leaveBatch>;

/** One transaction for a batch of recurring reports: load, decide one by one, write set by set, commit, answer. */
export async function carryOut(parts: CarryOutParts, items: readonly Item[], attempt: Attempt): Promise<Answers> {
  return parts.database.transaction(async (tx) => {
    const now = parts.now();
    const facts = await loadFacts(tx, { ring: parts.ring, now, lockWaitMs: attempt.lockWaitMs }, items);
    const decided = items.flatMap((item) => {
      const decision = decide(item, facts, now);
      return decision === null ? [] : [{ item, decision, told: outcomeOf(decision), changes: changesOf(item, decision, now) }];
    });
    const refused = decided.flatMap(({ item, decision }) => refusedFor(item, decision, { facts, now }));
    await writeChanges(tx, together(decided.map(({ changes }) => changes)), now);
    await Promise.all([
      keepRefused(tx, refused),
      keepPostbacks(
        tx,
        decided.map(({ item, told }) =>
          lineOf(item.postback, { ...told, subject: item.report.eventId, isTest: item.report.environment === 'test', at: now }),
        ),
      ),
    ]);
    const answers = new Map(
      decided.map(({ item, told: { outcome }, changes: { events = [] } }) => [
        item,
        { outcome, isEventKept: events.length > 0 || facts.earlier.has(item) },
      ]),
    );
    return items.map((item) => answers.get(item) ?? leaveBatch);
  }, attempt.commitSent);
}

/** What the click's creator reads of a bind that was refused. An event that is sent again was listed the first time. */
function refusedFor(
  item: Item,
  decision: Decision,
  { facts, now }: { readonly facts: Facts; readonly now: Date },
): readonly RefusedOrder[] {
  const click = facts.binds.get(item)?.click ?? null;
  if (decision.do !== 'refuse' || click === null || click.kind === 'test' || item.report.environment === 'test') return [];
  if (!concernsItsCreator(decision.reason)) return [];
  const { creatorId, programId, linkNumber, clickId } = click;
  const { storeId, relationshipHash: subjectHash } = relationshipKeyOf(item);
  const { reason, why } = decision;
  return [{ storeId, creatorId, programId, linkNumber, clickId, operation: 'relationship', subjectHash, reason, why, at: now }];
}

/** Null: somebody else holds a row of it; nothing is done for it, and it leaves the batch. */
export function decide(item: Item, facts: Facts, now: Date): Decision | null {
  const earlier = facts.earlier.get(item) ?? null;
  if (earlier) return decideAgain(earlier);
  if (item.is === 'relationship') {
    const binding = facts.binds.get(item);
    return binding ? decideBind(item.report, binding) : null;
  }
  const standing = facts.standing.get(item);
  if (!standing) return null;
  const eventId = newId<'evt'>(now);
  switch (item.is) {
    case 'billing_event': {
      const fresh = { eventId, relationshipInvoiceId: newId<'rinv'>(now), commissionId: newId<'com'>(now) };
      return decideBilling(item.report, { ...standing, now, earlier, invoiceHash: item.invoiceHash, fresh });
    }
    case 'invoice_reversal':
      return decideInvoiceReversal(item.report, { ...standing, now, earlier, fresh: { eventId } });
    case 'relationship_end':
      return decideEnd(item.report, { ...standing, now, earlier, fresh: { eventId } });
    default:
      return never(item);
  }
}

function changesOf(item: Item, decision: Decision, now: Date): Partial<Changes> {
  switch (decision.do) {
    case 'bind':
      return { events: [accepted(item, decision.answer, now)], bound: [decision.relationship] };
    case 'record': {
      const { relationship, invoice, commission, postings } = decision;
      const opened = commission === null ? [] : [commission];
      return { events: [accepted(item, decision.answer, now)], changed: [relationship], invoices: [invoice], opened, postings };
    }
    case 'reverse': {
      const { invoice, reversed, postings } = decision;
      const { storeId, reversal } = invoice;
      const ended = reversed === null ? [] : [{ storeId, commissionId: reversed.commissionId, at: now, reason: reversal?.reason ?? null }];
      return { events: [accepted(item, decision.answer, now)], invoices: [invoice], reversed: ended, postings };
    }
    case 'end':
      return { events: [accepted(item, decision.answer, now)], changed: [decision.relationship] };
    case 'bound before':
    case 'reversed before':
    case 'ended before':
      return { events: [accepted(item, decision.answer, now)] };
    case 'remember':
      return item.is === 'invoice_reversal'
        ? { early: [{ storeId: decision.relationship.storeId, bindingId: decision.relationship.bindingId, invoiceHash: item.invoiceHash }] }
        : {};
    case 'refuse':
      return isBurned(decision.reason) ? { events: [{ ...eventOf(item, now), ...noIds, reason: decision.reason }] } : {};
    case 'repeat':
      return {};
    default:
      return never(decision);
  }
}

const noIds = { recordedEventId: null, bindingId: null, commissionId: null };

function accepted(item: Item, { reason, eventId, bindingId, commissionId }: Answer, now: Date): NewEvent {
  return { ...eventOf(item, now), reason, recordedEventId: eventId, bindingId, commissionId };
}

function eventOf(item: Item, receivedAt: Date) {
  const newest = eventLists[item.is].at(-1);
  must(newest, 'every operation has a list of its fields');
  const { eventId, content } = item.report;
  return { ...eventKeyOf(item), eventId, operation: item.is, contentHash: contentHash(newest, content), receivedAt };
}

function together(all: ReadonlyArray<Partial<Changes>>): Changes {
  return {
    events: all.flatMap(({ events }) => events ?? []),
    bound: all.flatMap(({ bound }) => bound ?? []),
    changed: all.flatMap(({ changed }) => changed ?? []),
    invoices: all.flatMap(({ invoices }) => invoices ?? []),
    early: all.flatMap(({ early }) => early ?? []),
    opened: all.flatMap(({ opened }) => opened ?? []),
    reversed: all.flatMap(({ reversed }) => reversed ?? []),
    postings: all.flatMap(({ postings }) => postings ?? []),
  };
}
