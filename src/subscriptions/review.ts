import { openedRollups } from '../commissions/rollups.ts';
import { openCommissions } from '../commissions/commissions-sql.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import { addLinkRollups } from '../rollups/rollups-sql.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Transaction } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import { decideReview, type ReviewVerdict } from './decide-review.ts';
import { earlyInvoiceReversals, saveInvoices, waitingInvoices } from './invoices-sql.ts';
import type { Relationship } from './relationship.ts';
import { liveRelationship, lockRelationships, updateRelationships } from './relationships-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

type Reviewed = { readonly storeId: Id<'store'>; readonly bindingId: Id<'bind'>; readonly word: ReviewVerdict; readonly now: Date };

/** The number of invoices in one transaction. If more wait, the review stays open. */
const invoicesMax = 1_000;
/** Postbacks lock a relationship only until their commit, so a request can wait. */
const lockWaitMs = 2_000;

/** Applies a review to the invoices that waited for it, under the relationship's row lock, like postbacks. */
export async function reviewRelationship(tx: Transaction, { storeId, bindingId, word, now }: Reviewed): Promise<Relationship | Refusal> {
  const found = await liveRelationship(tx, { storeId, bindingId });
  if (found === null) return notFound;
  await lockRelationships(tx, [found], lockWaitMs);
  const relationship = await liveRelationship(tx, { storeId, bindingId });
  if (relationship === null || relationship.attribution.environment === 'test') return notFound;
  const waiting = await waitingInvoices(tx, { storeId, bindingId }, invoicesMax + 1);
  const invoices = waiting.slice(0, invoicesMax);
  const early = new Set((await earlyInvoiceReversals(tx, invoices)).map(({ invoiceHash }) => invoiceHash.toString('latin1')));
  const { creatorId } = relationship.attribution;
  const decision = decideReview(word, {
    now,
    relationship,
    waiting: invoices.map((invoice) => ({
      invoice,
      wasReversedEarly: early.has(invoice.invoiceHash.toString('latin1')),
      commissionId: newId<'com'>(now),
    })),
    moreWait: waiting.length > invoices.length,
    isCreatorSuspended: (await listSuspendedCreators(tx, [{ storeId, creatorId }])).has(creatorId),
  });
  if (decision.do === 'refuse') return refuse('conflict', apiMessage('review.no_review_subscription_open'));
  await updateRelationships(tx, [decision.relationship]);
  await saveInvoices(tx, decision.invoices);
  await openCommissions(tx, decision.commissions);
  await postStoreTransfers(tx, decision.postings);
  await addLinkRollups(tx, openedRollups(decision.commissions));
  return decision.relationship;
}
