import { markPayoutReturned } from '../creators/payout-methods-sql.ts';
import { isEmailEnabled } from '../creators/email-preferences-sql.ts';
import { creatorPosting, payoutTransfers } from '../ledger/creator-postings.ts';
import { postCreatorTransfers } from '../ledger/creator-ledger-sql.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Transaction } from '../db/database.ts';
import { type Id, publicId } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant, never } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { decidePayoutEnd, type Failure, type PayoutEnd, type PayoutOutcome } from './decide-payout.ts';
import { auditContradiction, notifyContradiction, payoutFailedEmail, payoutPaidEmail, payoutReturnedEmail } from './payout-emails.ts';
import { contradictionOf, type Payout, type PayoutKey, roundsMax, rowsPerTransactionMax } from './payout.ts';
import {
  listAmountsOfPayout,
  listStoresToUpdate,
  lockPayout,
  markStoresUpdated,
  markStoreUpdated,
  readPayout,
  saveContradicted,
  saveContradictionDecided,
  saveFailed,
  savePaid,
  saveReturned,
  saveWaiting,
  type StoreOutcome,
} from './payouts-sql.ts';
import { readPayeeEligibility } from './payee-eligibility.ts';
import { paidRollups } from '../commissions/rollups.ts';
import { insertOutboxEntries } from '../commissions/creator-outbox-sql.ts';
import { payCommissions, releaseFromPayout } from '../commissions/payout-sql.ts';
import { addStoreRollups } from '../rollups/rollups-sql.ts';
import { takeOutOfPayout } from './earnings-sql.ts';

/** Decides under the payout lock, so that outcomes may come from several sources, repeatedly, and in any order. */
export async function settlePayout(platform: Platform, key: PayoutKey, outcome: PayoutOutcome): Promise<void> {
  await platform.database.transaction(async (tx) => settlePayoutLocked(tx, platform, await lockPayout(tx, key), outcome));
  platform.reached('payouts: settled');
}

/** The caller must hold the payout lock. */
export async function settlePayoutLocked(tx: Transaction, platform: Platform, payout: Payout, outcome: PayoutOutcome): Promise<void> {
  const end = decidePayoutEnd({ state: payout.state, contradiction: contradictionOf(payout) }, outcome);
  // A payout that still waits is looked up repeatedly; that is not logged.
  if (end.do === 'wait' && payout.state === end.as && (end.providerId === null || end.providerId === payout.providerId)) return;
  const fields = { payout: publicId('pay', payout.payoutId), outcome: outcome.is, end: end.do };
  if (end.do === 'wonder' || end.do === 'contradict')
    platform.log.error({ ...fields, why: end.why }, 'payouts: an outcome contradicts the end of a payout; an operator has to decide');
  else if (end.do !== 'nothing') platform.log.info(fields, 'payouts: settled');
  await applyEnd(tx, platform, { payout, end, at: platform.clock.now() });
}

type Ending = { readonly payout: Payout; readonly end: PayoutEnd; readonly at: Date };

async function applyEnd(tx: Transaction, platform: Platform, { payout, end, at }: Ending): Promise<void> {
  switch (end.do) {
    case 'pay':
      await savePaid(tx, payout, { providerId: end.providerId, at });
      await postEnd(tx, payout, { way: payoutTransfers.arrived, at });
      return notifyCreator(tx, platform, { payout, kind: 'paid', emailOf: payoutPaidEmail });
    case 'fail':
      return failPayout(tx, platform, { payout, failure: end.failure, at });
    case 'return':
      await saveReturned(tx, payout, { failure: end.failure, at });
      if (!end.hadArrived) await postEnd(tx, payout, { way: payoutTransfers.arrived, at });
      await postEnd(tx, payout, { way: payoutTransfers.returned, at });
      invariant(payout.payoutMethodId !== null, 'a returned payout has a payout method');
      await markPayoutReturned(tx, { creatorId: payout.creatorId, payoutMethodId: payout.payoutMethodId }, at);
      return notifyCreator(tx, platform, {
        payout,
        kind: 'failed',
        emailOf: (facts) => payoutReturnedEmail({ ...facts, why: end.failure.message }),
      });
    case 'wait':
      return saveWaiting(tx, payout, end);
    case 'contradict':
      await saveContradicted(tx, payout, at);
      return notifyContradiction(tx, platform, { payout, why: end.why, at });
    case 'decide_contradiction':
      await saveContradictionDecided(tx, payout, at);
      return auditContradiction(tx, { payout, action: 'payout.contradiction_decided', details: { why: end.why }, at });
    case 'nothing':
    case 'wonder':
      return;
    default:
      return never(end);
  }
}

/** Also fails a drafted payout that was not sent. The caller must hold the payout lock. */
export async function failPayout(
  tx: Transaction,
  platform: Platform,
  { payout, failure, at }: { readonly payout: Payout; readonly failure: Failure; readonly at: Date },
): Promise<void> {
  await saveFailed(tx, payout, { failure, at });
  await postEnd(tx, payout, { way: payoutTransfers.failed, at });
  // The creator was never notified of a payout that was not sent.
  if (payout.sentAt === null) return;
  await notifyCreator(tx, platform, { payout, kind: 'failed', emailOf: (facts) => payoutFailedEmail({ ...facts, failure }) });
}

type Way = (typeof payoutTransfers)[keyof typeof payoutTransfers];

async function postEnd(tx: Transaction, key: PayoutKey, { way, at }: { readonly way: Way; readonly at: Date }): Promise<void> {
  const amounts = await listAmountsOfPayout(tx, key);
  const fact = { source: { kind: 'payout_end', id: key.payoutId }, at } as const;
  await postCreatorTransfers(
    tx,
    key.creatorId,
    amounts.flatMap((money) => creatorPosting({ creatorId: key.creatorId, ...money }, way, fact)),
  );
}

type EmailFacts = { readonly amount: Cents; readonly url: string };

type CreatorNotice = { readonly payout: Payout; readonly kind: 'paid' | 'failed'; readonly emailOf: (facts: EmailFacts) => EmailContent };

/** Skipped if the creator turned these emails off. */
async function notifyCreator(tx: Transaction, { config, secrets }: Platform, { payout, kind, emailOf }: CreatorNotice): Promise<void> {
  if (!(await isEmailEnabled(tx, payout.creatorId, kind))) return;
  invariant(payout.amountCents !== null, 'a payout that was sent has an amount');
  const { email } = await readPayeeEligibility(tx, payout.creatorId);
  const url = `${config.baseUrl}/creator`;
  await enqueueEmail(tx, secrets, { to: email, content: emailOf({ amount: payout.amountCents, url }), storeId: null });
}

/**
 * Applies the end of a payout to the stores' commissions: they are paid, or free for the next payout. Posts nothing, since all
 * transfers were posted at the end. It can be resumed after a crash, and run by two processes at the same time.
 */
export async function applyResultToStores(platform: Platform, key: PayoutKey): Promise<void> {
  const { database, reached, clock } = platform;
  const now = clock.now();
  const payout = await readPayout(database, key);
  const outcome = storeOutcomeOf(payout);
  if (outcome === null || payout.storesUpdatedAt !== null) return;
  // Releases the creator's rows first: a free commission must never have an earning that is still in a payout.
  if (outcome === 'released') await releaseEarnings(platform, payout);
  for (const storeId of await listStoresToUpdate(database, payout, outcome)) {
    await applyResultToStore(platform, payout, { storeId, outcome, now });
    await markStoreUpdated(database, payout, { storeId, outcome });
    reached('payouts: store updated');
  }
  await markStoresUpdated(database, payout, now);
}

function storeOutcomeOf({ state }: Payout): StoreOutcome | null {
  if (state === 'paid') return 'paid';
  return state === 'failed' || state === 'returned' || state === 'given_up' ? 'released' : null;
}

async function releaseEarnings({ database, reached }: Platform, key: PayoutKey): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const taken = await takeOutOfPayout(database, key, rowsPerTransactionMax);
    reached('payouts: part taken out');
    if (taken < rowsPerTransactionMax) return;
  }
}

type StoreResult = { readonly storeId: Id<'store'>; readonly outcome: StoreOutcome; readonly now: Date };

async function applyResultToStore({ database, reached }: Platform, { payoutId }: PayoutKey, result: StoreResult): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const touched = await database.transaction((tx) => applyResultToChunk(tx, payoutId, result));
    reached('payouts: chunk updated');
    if (touched < rowsPerTransactionMax) return;
  }
}

async function applyResultToChunk(tx: Transaction, payoutId: Id<'pay'>, { storeId, outcome, now }: StoreResult): Promise<number> {
  if (outcome === 'paid') {
    const paid = await payCommissions(tx, { storeId, payoutId }, { limit: rowsPerTransactionMax, at: now });
    await addStoreRollups(tx, paidRollups(storeId, paid, 1n));
    return paid.length;
  }
  const released = await releaseFromPayout(tx, { storeId, payoutId }, rowsPerTransactionMax);
  // The operator advanced these for the store. The creator was not paid after all, so the advance ends.
  const advanced = released.filter(({ wasAdvanced }) => wasAdvanced);
  await insertOutboxEntries(tx, { storeId, kind: 'advance_ended', at: now }, advanced);
  await addStoreRollups(tx, paidRollups(storeId, released, -1n));
  return released.length;
}
