import { assignToPayout, listCommissionsOfPayout } from '../commissions/payout-sql.ts';
import { creatorPosting, payoutTransfers } from '../ledger/creator-postings.ts';
import { postCreatorTransfers } from '../ledger/creator-ledger-sql.ts';
import type { Transaction } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { documentCentsMax, sum, takeWithinLimit } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { decidePayout } from './decide-payout.ts';
import { type FreeEarning, listFreeEarnings, sumDraftByStore, insertLines, putIntoPayout } from './earnings-sql.ts';
import {
  closeClaims,
  lockOpenClaims,
  saveDrafted,
  saveGivenUp,
  lockPayout,
  listStoresOfPayout,
  findUnfinishedPayout,
} from './payouts-sql.ts';
import { type PayoutKey, roundsMax, rowsPerTransactionMax } from './payout.ts';
import { readPayoutSettings } from './payout-settings-sql.ts';
import { readPayeeEligibility } from './payee-eligibility.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

/**
 * Claims commissions for a payout, store by store, then decides with the amount that was claimed. A second process, after a crash or at
 * the same time, can repeat it: a commission is in one payout only, claims are closed once per store, and the decision is made once.
 */
export async function fillDraft(platform: Platform, payout: PayoutKey, now: Date): Promise<void> {
  const { database } = platform;
  for (const storeId of await listStoresOfPayout(database, payout)) {
    const drafted = sum((await sumDraftByStore(database, payout)).map(({ amount }) => amount));
    await claimCommissionsOfStore(platform, payout, { storeId, capacity: documentCentsMax - drafted });
    await moveClaimedToPayout(platform, payout, storeId);
  }
  platform.reached('payouts: claimed');
  await platform.database.transaction((tx) => decideDraft(tx, payout, { now, at: platform.clock.now(), mode: platform.config.mode }));
  platform.reached('payouts: drafted');
}

const chunkBounds = { rowsPerPage: rowsPerTransactionMax, pagesMax: roundsMax };

/** `capacity`: the amount that still fits into the payout. The rest stays free for the next payout. */
type Claim = { readonly storeId: Id<'store'>; readonly capacity: bigint };

/** The last claim closes the claims of the store, so that a slow process cannot add to a payout that was already decided. */
async function claimCommissionsOfStore(
  { database, reached }: Platform,
  { creatorId, payoutId }: PayoutKey,
  { storeId, capacity }: Claim,
): Promise<void> {
  let left = capacity;
  const pages = boundedKeysetPages(
    chunkBounds,
    ({ commissionId }: FreeEarning) => commissionId,
    (page) => listFreeEarnings(database, { creatorId, storeId }, page),
  );
  for await (const free of pages) {
    const earnings = takeWithinLimit(free, ({ amountCents }) => amountCents, left);
    left -= sum(earnings.map(({ amountCents }) => amountCents));
    const commissionIds = earnings.map(({ commissionId }) => commissionId);
    const isLast = commissionIds.length < rowsPerTransactionMax;
    const isOpen = await database.transaction(async (tx) => {
      if (!(await lockOpenClaims(tx, { storeId, payoutId }))) return false;
      await assignToPayout(tx, { storeId, payoutId, commissionIds });
      if (isLast) await closeClaims(tx, { storeId, payoutId });
      return true;
    });
    reached('payouts: part claimed');
    if (isLast || !isOpen) return;
  }
}

/** Moves the commissions that the store's rows name as claimed into the payout, in the creator's rows. */
async function moveClaimedToPayout({ database, reached }: Platform, payout: PayoutKey, storeId: Id<'store'>): Promise<void> {
  const { creatorId, payoutId } = payout;
  const pages = boundedKeysetPages<Id<'com'>, Id<'com'>>(chunkBounds, itself, (page) =>
    listCommissionsOfPayout(database, { storeId, payoutId }, page),
  );
  for await (const commissionIds of pages) {
    await database.transaction(async (tx) => {
      // Another process may have decided the payout meanwhile; then nothing is left to do.
      if ((await lockPayout(tx, payout)).state !== 'gathering') return;
      const put = await putIntoPayout(tx, { creatorId, payoutId, storeId, commissionIds });
      invariant(put === commissionIds.length, 'claimed commissions were free earnings of the creator');
      await insertLines(tx, { creatorId, payoutId, storeId, commissionIds });
    });
    reached('payouts: chunk moved into payout');
  }
}

/** `now` decides, `at` is posted: a late run adds nothing to a month that is over. */
type Moments = { readonly now: Date; readonly at: Date; readonly mode: 'sandbox' | 'live' };

/** Decides again with the claimed amount: a hold or a credit note may have come before the claim. */
async function decideDraft(tx: Transaction, key: PayoutKey, { now, at, mode }: Moments): Promise<void> {
  const payout = await lockPayout(tx, key);
  if (payout.state !== 'gathering') return;
  const { isSuspended, isUnderReview, method } = await readPayeeEligibility(tx, key.creatorId);
  const { secondPersonAboveCents } = await readPayoutSettings(tx, mode);
  const byStore = await sumDraftByStore(tx, key);
  const amount = sum(byStore.map((one) => one.amount));
  const decision = decidePayout({
    now,
    isSuspended,
    isUnderReview,
    isAnotherUnfinished: (await findUnfinishedPayout(tx, key.creatorId, key.payoutId)) !== null,
    amount,
    minimum: payout.minimumCents,
    method,
    secondPersonAbove: secondPersonAboveCents,
  });
  if (decision.do === 'wait') return saveGivenUp(tx, key, at);
  invariant(method, 'a payout has a destination');
  await saveDrafted(tx, key, { as: decision.as, amount, byStore, method, at });
  const fact = { source: { kind: 'payout', id: key.payoutId }, at } as const;
  const postings = byStore.flatMap((money) => creatorPosting({ creatorId: key.creatorId, ...money }, payoutTransfers.drafted, fact));
  await postCreatorTransfers(tx, key.creatorId, postings);
}
