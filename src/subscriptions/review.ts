import { figuresOfOpened } from '../commissions/figures.ts';
import { openCommissions } from '../commissions/sql.ts';
import { suspendedCreators } from '../creators/standing-sql.ts';
import { addLinkFigures } from '../figures/sql.ts';
import { post } from '../ledger/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { newId, type Id } from '../platform/ids.ts';
import { decideReview, type ReviewWord } from './decide-review.ts';
import { earlyInvoiceReversals, keepInvoices, waitingInvoices } from './invoices-sql.ts';
import type { Relationship } from './relationship.ts';
import { liveRelationship, lockRelationships, updateRelationships } from './sql.ts';

type Reviewed = { readonly storeId: Id<'store'>; readonly bindingId: Id<'bind'>; readonly word: ReviewWord; readonly now: Date };

/** As many invoices as one transaction decides. Where more wait, the review stays open for them. */
const invoicesMax = 1_000;
/** Postbacks hold a relationship for the time of a commit; a person can wait for that. */
const lockWaitMs = 2_000;

/** Decides what was billed while a relationship was held: under its row's lock, as the postbacks do. */
export async function reviewRelationship(tx: Transaction, { storeId, bindingId, word, now }: Reviewed): Promise<Relationship | Refusal> {
  const found = await liveRelationship(tx, { storeId, bindingId });
  if (found === null) return notFound;
  await lockRelationships(tx, [found], lockWaitMs);
  const relationship = await liveRelationship(tx, { storeId, bindingId });
  if (relationship === null || relationship.claim.environment === 'test') return notFound;
  const waiting = await waitingInvoices(tx, { storeId, bindingId }, invoicesMax + 1);
  const invoices = waiting.slice(0, invoicesMax);
  const early = new Set((await earlyInvoiceReversals(tx, invoices)).map(({ invoiceHash }) => invoiceHash.toString('latin1')));
  const { creatorId } = relationship.claim;
  const decision = decideReview(word, {
    now,
    relationship,
    waiting: invoices.map((invoice) => ({
      invoice,
      wasReversedEarly: early.has(invoice.invoiceHash.toString('latin1')),
      commissionId: newId<'com'>(now),
    })),
    moreWait: waiting.length > invoices.length,
    isCreatorSuspended: (await suspendedCreators(tx, [creatorId])).has(creatorId),
  });
  if (decision.do === 'refuse') return refuse('conflict', 'No review of this subscription is open.');
  await updateRelationships(tx, [decision.relationship]);
  await keepInvoices(tx, decision.invoices);
  await openCommissions(tx, decision.commissions);
  await post(tx, decision.postings);
  await addLinkFigures(tx, figuresOfOpened(decision.commissions));
  return decision.relationship;
}
