import { claimedForPayout, claimForPayout } from '../commissions/payout-sql.ts';
import { moveOfCreator, payoutWays } from '../ledger/creator-posting.ts';
import { postOfCreator } from '../ledger/creator-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { documentCentsMax, fitting, sum } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { decidePayout } from './decide-payout.ts';
import { freeEarnings, gatheredByStore, insertLines, putIntoPayout, type FreeEarning } from './earnings-sql.ts';
import { closeGate, isGateOpen } from './gates-sql.ts';
import { roundsMax, rowsPerTransactionMax, type PayoutKey } from './payout.ts';
import { readPayoutSettings } from './settings-sql.ts';
import { keepGathered, keepGivenUp, lockPayout, storesOfPayout, unfinishedPayoutOf } from './sql.ts';
import { standingOf } from './standing.ts';

/**
 * Takes commissions into a payout, store by store, and then decides of what was got. Whoever comes after a death, or at the
 * same time, does the same again: a commission is in one payout only, a gate is closed once, and the decision is made once.
 */
export async function gatherPayout(platform: Platform, payout: PayoutKey, now: Date): Promise<void> {
  const { database } = platform;
  for (const storeId of await storesOfPayout(database, payout)) {
    const gathered = sum((await gatheredByStore(database, payout)).map(({ amount }) => amount));
    await claimOfStore(platform, payout, { storeId, room: documentCentsMax - gathered });
    await takeOver(platform, payout, storeId);
  }
  platform.reached('payouts: claimed');
  await platform.database.transaction((tx) => decideGathered(tx, payout, { now, at: platform.clock.now(), mode: platform.config.mode }));
  platform.reached('payouts: gathered');
}

/** `room`: how much the payout still takes. What does not fit stays free for the next payout. */
type Claim = { readonly storeId: Id<'store'>; readonly room: bigint };

/** Until the gate is closed, which happens with the last claim: nobody who is late adds to a payout that was decided of. */
async function claimOfStore({ database, reached }: Platform, { creatorId, payoutId }: PayoutKey, { storeId, room }: Claim): Promise<void> {
  let after: Id<'com'> | null = null;
  let left = room;
  for (let round = 0; round < roundsMax; round++) {
    const stretch = { after, limit: rowsPerTransactionMax };
    const free: readonly FreeEarning[] = await freeEarnings(database, { creatorId, storeId }, stretch);
    const earnings = fitting(free, ({ amountCents }) => amountCents, left);
    left -= sum(earnings.map(({ amountCents }) => amountCents));
    const commissionIds = earnings.map(({ commissionId }) => commissionId);
    const isLast = commissionIds.length < rowsPerTransactionMax;
    const isOpen = await database.transaction(async (tx) => {
      if (!(await isGateOpen(tx, { storeId, payoutId }))) return false;
      await claimForPayout(tx, { storeId, payoutId, commissionIds });
      if (isLast) await closeGate(tx, { storeId, payoutId });
      return true;
    });
    reached('payouts: part claimed');
    if (isLast || !isOpen) return;
    after = commissionIds.at(-1) ?? null;
  }
}

/** What the store's book says is claimed is put into the payout of the creator's book. */
async function takeOver({ database, reached }: Platform, payout: PayoutKey, storeId: Id<'store'>): Promise<void> {
  const { creatorId, payoutId } = payout;
  let after: Id<'com'> | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const commissionIds: ReadonlyArray<Id<'com'>> = await claimedForPayout(
      database,
      { storeId, payoutId },
      { after, limit: rowsPerTransactionMax },
    );
    await database.transaction(async (tx) => {
      // Somebody else may have decided of it meanwhile; then all of this is done.
      if ((await lockPayout(tx, payout)).state !== 'gathering') return;
      const put = await putIntoPayout(tx, { creatorId, payoutId, storeId, commissionIds });
      must(put === commissionIds.length, 'what is claimed was free in the book of its creator');
      await insertLines(tx, { creatorId, payoutId, storeId, commissionIds });
    });
    reached('payouts: part taken over');
    if (commissionIds.length < rowsPerTransactionMax) return;
    after = commissionIds.at(-1) ?? null;
  }
}

/** Decided as of when it was due, and posted when it is done: to a month that is over nothing is added. */
type Moments = { readonly now: Date; readonly at: Date; readonly mode: 'sandbox' | 'live' };

/** Once more, of what was really got: a hold or a credit note may have been faster than the claim. */
async function decideGathered(tx: Transaction, key: PayoutKey, { now, at, mode }: Moments): Promise<void> {
  const payout = await lockPayout(tx, key);
  if (payout.state !== 'gathering') return;
  const { isSuspended, isUnderReview, method } = await standingOf(tx, key.creatorId);
  const { secondPersonAboveCents } = await readPayoutSettings(tx, mode);
  const byStore = await gatheredByStore(tx, key);
  const amount = sum(byStore.map((one) => one.amount));
  const decision = decidePayout({
    now,
    isSuspended,
    isUnderReview,
    isAnotherUnfinished: (await unfinishedPayoutOf(tx, key.creatorId, key.payoutId)) !== null,
    amount,
    minimum: payout.minimumCents,
    method,
    secondPersonAbove: secondPersonAboveCents,
  });
  if (decision.do === 'wait') return keepGivenUp(tx, key, at);
  must(method, 'nobody is paid to nowhere');
  await keepGathered(tx, key, { as: decision.as, amount, byStore, method, at });
  const fact = { source: { kind: 'payout', id: key.payoutId }, at } as const;
  const postings = byStore.flatMap((money) => moveOfCreator({ creatorId: key.creatorId, ...money }, payoutWays.gathered, fact));
  await postOfCreator(tx, key.creatorId, postings);
}
