import type { OpenedCommission } from '../commissions/commission.ts';
import { figuresOfOpened, figuresOfReversed } from '../commissions/figures.ts';
import { openCommissions, reverseCommissions, type Reversed } from '../commissions/sql.ts';
import { addLinkFigures } from '../figures/sql.ts';
import type { Posting } from '../ledger/posting.ts';
import { post } from '../ledger/sql.ts';
import { Superseded } from '../platform/batch-attempts.ts';
import type { Transaction } from '../platform/database/database.ts';
import { insertEvents, type NewEvent } from './events-sql.ts';
import { keepInvoices, rememberEarlyInvoiceReversals } from './invoices-sql.ts';
import type { Invoice, InvoiceKey, Relationship } from './relationship.ts';
import { insertRelationships, updateRelationships } from './sql.ts';

/** What decisions change, set by set. Each relationship and each invoice stands in it once at most. */
export type Changes = {
  readonly events: readonly NewEvent[];
  readonly bound: readonly Relationship[];
  readonly changed: readonly Relationship[];
  readonly invoices: readonly Invoice[];
  readonly early: readonly InvoiceKey[];
  readonly opened: readonly OpenedCommission[];
  readonly reversed: readonly Reversed[];
  readonly postings: readonly Posting[];
};

/** The statements stand in the order of locks: events, relationships, invoices, commissions, what cannot conflict, figures. */
export async function writeChanges(tx: Transaction, changes: Changes, now: Date): Promise<void> {
  const { events, bound, changed, invoices, early, opened, reversed, postings } = changes;
  // What is asked together goes in one round trip, and is carried out in its order.
  const [newEvents, newBound] = await Promise.all([
    events.length > 0 ? insertEvents(tx, events) : 0,
    bound.length > 0 ? insertRelationships(tx, bound) : 0,
  ]);
  allNew(newEvents, events.length);
  allNew(newBound, bound.length);
  const [, , ended] = await Promise.all([
    updateRelationships(tx, changed),
    keepInvoices(tx, invoices),
    reverseCommissions(tx, reversed),
    early.length > 0 ? rememberEarlyInvoiceReversals(tx, early, now) : null,
    openCommissions(tx, opened),
    post(tx, postings),
  ]);
  await addLinkFigures(tx, [...figuresOfOpened(opened), ...figuresOfReversed(ended)]);
}

/** Fewer rows than sent: another process was first with an event or a relationship. All is rolled back, loaded and decided again. */
function allNew(written: number, sent: number): void {
  if (written < sent) throw new Superseded('another process recorded one of these first');
}
