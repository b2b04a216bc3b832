import { rowLocked, Superseded, type Attempt } from '../batch/attempts.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import type { OpenedCommission } from '../commissions/commission.ts';
import { openCommissions, reverseCommissions, type CommissionReversal } from '../commissions/commissions-sql.ts';
import { openedRollups, reversedRollups } from '../commissions/rollups.ts';
import { contentHash } from '../contract/content-hash.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';
import { newId, publicId } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import { insertRefusedOrders, isVisibleToCreator, type RefusedOrder } from '../creators/refused-orders-sql.ts';
import type { Database, Transaction } from '../db/database.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Posting } from '../ledger/store-postings.ts';
import { outcompetedWhy } from '../orders/decide-attribution.ts';
import { noPartnerRows, type NewPartnerRows } from '../orders/load-partners.ts';
import { insertBindings, insertUses } from '../orders/partners-sql.ts';
import { rejectedCodeOwners } from '../orders/rejected-code-owners.ts';
import { addLinkRollups } from '../rollups/rollups-sql.ts';
import { logEntryOf } from '../tracking/log-entry.ts';
import { insertLogEntries } from '../tracking/log-sql.ts';
import { decideBilling, type BillingDecision } from './decide-billing.ts';
import { decideBind, type BindDecision } from './decide-bind.ts';
import { decideEnd, type EndDecision } from './decide-end.ts';
import { decideInvoiceReversal, type InvoiceReversalDecision } from './decide-invoice-reversal.ts';
import { decideRepeat, isRefusalRemembered, type Answer } from './event.ts';
import { insertEvents, type NewEvent } from './events-sql.ts';
import { insertEarlyInvoiceReversals, saveInvoices } from './invoices-sql.ts';
import { asOrder, eventKeyOf, loadFacts, relationshipKeyOf, type BindItem, type Facts, type Item, type LoadContext } from './load-facts.ts';
import type { Invoice, InvoiceKey, Relationship } from './relationship.ts';
import { insertRelationships, updateRelationships } from './relationships-sql.ts';
import { eventLists } from './report.ts';

export type RecordingContext = { readonly database: Database; readonly ring: KeyRing; readonly now: () => Date };
/** `isEventKept`: the event is stored, by this report or an earlier one, so its copies only need to read the answer. */
export type EventResult = { readonly outcome: Outcome; readonly isEventKept: boolean };
type Answers = ReadonlyArray<EventResult | typeof rowLocked>;

/** Loads facts, decides each report, writes the changes as sets, commits, and returns the outcomes, in one transaction. */
export async function recordEvents(parts: RecordingContext, items: readonly Item[], attempt: Attempt): Promise<Answers> {
  return parts.database.transaction(async (tx) => {
    const now = parts.now();
    const facts = await loadFacts(tx, { ring: parts.ring, now, lockWaitMs: attempt.lockWaitMs }, items);
    const decided = items.flatMap((item) => {
      const decision = decide(item, facts, now);
      return decision === null
        ? []
        : [{ item, decision, outcome: outcomeOf(decision), changes: changesOf(item, decision, { facts, now }) }];
    });
    const refused = decided.flatMap(({ item, decision }) => creatorsWithoutCommission(item, decision, { facts, now }));
    await writeChanges(tx, together(decided.map(({ changes }) => changes)), now);
    await Promise.all([
      insertRefusedOrders(tx, refused),
      insertLogEntries(
        tx,
        decided.map(({ item, outcome }) =>
          logEntryOf(item.postback, { ...outcome, subject: item.report.eventId, isTest: item.report.environment === 'test', at: now }),
        ),
      ),
    ]);
    const answers = new Map(
      decided.map(({ item, outcome: { outcome }, changes: { events = [] } }) => [
        item,
        { outcome, isEventKept: events.length > 0 || facts.earlier.has(item) },
      ]),
    );
    return items.map((item) => answers.get(item) ?? rowLocked);
  }, attempt.commitSent);
}

function creatorsWithoutCommission(item: Item, decision: Decision, deciding: Deciding): readonly RefusedOrder[] {
  const shown = refusedFor(item, decision, deciding);
  if (item.is !== 'relationship' || (decision.do !== 'bind' && decision.do !== 'refuse')) return shown;
  const { facts, now } = deciding;
  const earns = decision.do === 'bind' ? (decision.partners?.credited.creatorId ?? null) : null;
  const informed = [earns, ...shown.map(({ creatorId }) => creatorId)];
  const owners = rejectedCodeOwners({ partners: facts.partners.of(asOrder(item, now)), why: decision.why, informed });
  const { storeId, relationshipHash: subjectHash } = relationshipKeyOf(item);
  return [...shown, ...owners.map((owner) => ({ ...owner, storeId, operation: 'relationship' as const, subjectHash, at: now }))];
}

/** What the creator of the click sees of a refused bind. A replay was listed the first time. */
function refusedFor(item: Item, decision: Decision, { facts, now }: Deciding): readonly RefusedOrder[] {
  if (decision.do === 'bind') return outcompetedCreator(decision, now);
  const click = facts.binds.get(item)?.click ?? null;
  if (decision.do !== 'refuse' || click === null || click.kind === 'test' || item.report.environment === 'test') return [];
  if (!isVisibleToCreator(decision.reason)) return [];
  const { creatorId, programId, linkNumber, clickId } = click;
  const { storeId, relationshipHash: subjectHash } = relationshipKeyOf(item);
  const { reason, why } = decision;
  return [{ storeId, creatorId, programId, linkNumber, clickId, operation: 'relationship', subjectHash, reason, why, at: now }];
}

type Deciding = { readonly facts: Facts; readonly now: Date };

/** What a creator sees of a subscription that was bound to another creator. */
function outcompetedCreator({ relationship, partners }: Extract<Decision, { readonly do: 'bind' }>, at: Date): readonly RefusedOrder[] {
  const { outcompeted: other = null, why = null } = partners ?? {};
  if (other === null || why === null) return [];
  const { storeId, relationshipHash: subjectHash, boundAt } = relationship;
  const { creatorId, programId, linkNumber, click } = other;
  const shown = { ...outcompetedWhy(why), occurred_at: boundAt.toISOString() };
  const of = {
    storeId,
    creatorId,
    programId,
    linkNumber,
    clickId: click && click.clickId,
    operation: 'relationship',
    subjectHash,
  } as const;
  return [{ ...of, reason: 'another_creator', why: shown, at }];
}

/** Null: another transaction has locked a row, and the item leaves the batch without a change. */
export function decide(item: Item, facts: Facts, now: Date): Decision | null {
  const earlier = facts.earlier.get(item) ?? null;
  if (earlier) return decideRepeat(earlier);
  if (item.is === 'relationship') {
    const binding = facts.binds.get(item);
    return binding ? decideBind(item.report, { ...binding, partners: facts.partners.of(asOrder(item, now)) }) : null;
  }
  const known = facts.relationships.get(item);
  if (!known) return null;
  const eventId = newId<'evt'>(now);
  switch (item.is) {
    case 'billing_event': {
      const fresh = { eventId, relationshipInvoiceId: newId<'rinv'>(now), commissionId: newId<'com'>(now) };
      return decideBilling(item.report, { ...known, now, earlier, invoiceHash: item.invoiceHash, fresh });
    }
    case 'invoice_reversal':
      return decideInvoiceReversal(item.report, { ...known, now, earlier, fresh: { eventId } });
    case 'relationship_end':
      return decideEnd(item.report, { ...known, now, earlier, fresh: { eventId } });
    default:
      return never(item);
  }
}

function changesOf(item: Item, decision: Decision, { facts, now }: Deciding): Partial<Changes> {
  switch (decision.do) {
    case 'bind':
      return {
        events: [accepted(item, decision.answer, now)],
        bound: [decision.relationship],
        partnerRows: [item.is === 'relationship' ? partnerRowsOf(item, decision, { facts, now }) : noPartnerRows],
      };
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
      return isRefusalRemembered(decision.reason) ? { events: [{ ...eventOf(item, now), ...noIds, reason: decision.reason }] } : {};
    case 'repeat':
      return {};
    default:
      return never(decision);
  }
}

/** A subscription counts as one order of its customer. */
function partnerRowsOf(
  item: BindItem,
  { relationship, partners, binding }: Extract<Decision, { readonly do: 'bind' }>,
  { facts, now }: Deciding,
): NewPartnerRows {
  if (partners === null) return noPartnerRows;
  const { storeId, relationshipHash: orderHash, boundAt } = relationship;
  const of = { attribution: partners, binding, occurredAt: boundAt, recordedAt: now, report: asOrder(item, now).report };
  return facts.partners.add(of, { storeId, orderHash });
}

const noIds = { recordedEventId: null, bindingId: null, commissionId: null };

function accepted(item: Item, { reason, eventId, bindingId, commissionId }: Answer, now: Date): NewEvent {
  return { ...eventOf(item, now), reason, recordedEventId: eventId, bindingId, commissionId };
}

function eventOf(item: Item, receivedAt: Date) {
  const newest = eventLists[item.is].at(item.is === 'relationship' && item.report.partners === null ? 0 : -1);
  invariant(newest, 'every operation has a list of its fields');
  const { eventId, content } = item.report;
  return { ...eventKeyOf(item), eventId, operation: item.is, contentHash: contentHash(newest, content), receivedAt };
}

function together(all: ReadonlyArray<Partial<Changes>>): Changes {
  return {
    events: all.flatMap(({ events }) => events ?? []),
    bound: all.flatMap(({ bound }) => bound ?? []),
    partnerRows: all.flatMap(({ partnerRows }) => partnerRows ?? []),
    changed: all.flatMap(({ changed }) => changed ?? []),
    invoices: all.flatMap(({ invoices }) => invoices ?? []),
    early: all.flatMap(({ early }) => early ?? []),
    opened: all.flatMap(({ opened }) => opened ?? []),
    reversed: all.flatMap(({ reversed }) => reversed ?? []),
    postings: all.flatMap(({ postings }) => postings ?? []),
  };
}

/** The outcome that a report would have now. It writes nothing. Null if a row is locked, so the caller has to retry. */
export async function dryRunEvent(tx: Transaction, loading: LoadContext, item: Item): Promise<ExplainedOutcome | null> {
  const decision = decide(item, await loadFacts(tx, loading, [item]), loading.now);
  return decision && outcomeOf(decision);
}

export type Decision = BindDecision | BillingDecision | InvoiceReversalDecision | EndDecision;

/** The reply to a decision. The transaction that writes the decision also logs it. */
export type ExplainedOutcome = { readonly outcome: Outcome; readonly why: Why };

export function outcomeOf(decision: Decision): ExplainedOutcome {
  const { why } = decision;
  switch (decision.do) {
    case 'bind':
    case 'record':
    case 'reverse':
    case 'reversed before':
    case 'end':
    case 'ended before':
      return { outcome: { ...answered(decision.answer), isLogged: true }, why };
    case 'bound before':
    case 'repeat':
      return { outcome: { ...answered(decision.answer), isReplay: true, isLogged: true }, why };
    case 'remember':
      return { outcome: { reason: decision.reason, isLogged: true }, why };
    case 'refuse': {
      const { reason, message } = decision;
      return { outcome: { reason, ...(message === undefined ? {} : { message }), isLogged: true }, why };
    }
    default:
      return never(decision);
  }
}

function answered({ reason, eventId, bindingId, commissionId }: Answer): Outcome {
  return {
    reason,
    ids: {
      ...(commissionId === null ? {} : { conversion_id: publicId('com', commissionId) }),
      ...(bindingId === null ? {} : { binding_id: publicId('bind', bindingId) }),
      ...(eventId === null ? {} : { event_id: publicId('evt', eventId) }),
    },
  };
}

/** What the decisions of a batch change. Each relationship and each invoice is in it at most once. */
export type Changes = {
  readonly events: readonly NewEvent[];
  readonly bound: readonly Relationship[];
  readonly partnerRows: readonly NewPartnerRows[];
  readonly changed: readonly Relationship[];
  readonly invoices: readonly Invoice[];
  readonly early: readonly InvoiceKey[];
  readonly opened: readonly OpenedCommission[];
  readonly reversed: readonly CommissionReversal[];
  readonly postings: readonly Posting[];
};

/** Writes in the global lock order: events, relationships, uses, bindings, invoices, commissions, rows that cannot conflict, rollups. */
export async function writeChanges(tx: Transaction, changes: Changes, now: Date): Promise<void> {
  const { events, bound, partnerRows, changed, invoices, early, opened, reversed, postings } = changes;
  // One round trip; PostgreSQL executes the statements in this order.
  const [newEvents, newBound] = await Promise.all([
    events.length > 0 ? insertEvents(tx, events) : 0,
    bound.length > 0 ? insertRelationships(tx, bound) : 0,
  ]);
  allNew(newEvents, events.length);
  allNew(newBound, bound.length);
  const [uses, bindings] = [partnerRows.flatMap((rows) => rows.uses), partnerRows.flatMap((rows) => rows.bindings)];
  if (uses.length > 0) allNew(await insertUses(tx, uses), uses.length);
  if (bindings.length > 0) allNew(await insertBindings(tx, bindings), bindings.length);
  const [, , ended] = await Promise.all([
    updateRelationships(tx, changed),
    saveInvoices(tx, invoices),
    reverseCommissions(tx, reversed),
    early.length > 0 ? insertEarlyInvoiceReversals(tx, early, now) : null,
    openCommissions(tx, opened),
    postStoreTransfers(tx, postings),
  ]);
  await addLinkRollups(tx, [...openedRollups(opened), ...reversedRollups(ended)]);
}

/** Fewer rows than sent: another process stored the event or relationship first. The batch rolls back and decides again. */
function allNew(written: number, sent: number): void {
  if (written < sent) throw new Superseded('another process recorded one of these first');
}
