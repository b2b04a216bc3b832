import { heldByPlatformOfPair, unheldOfPair } from '../commissions/review-sql.ts';
import { releaseHolds } from '../holds/holds-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { newId, publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { reviewByIds, reviewedPerTransactionMax, type Review } from '../review/review.ts';
import type { RiskCase } from './case.ts';
import { closeCase, insertCaseEvent, markUnheld, pairsToHold, pairsToRelease } from './cases-sql.ts';
import { releaseWarnings } from './warnings-sql.ts';

type Release = { readonly reason: string; readonly byActor: string; readonly byName: string; readonly at: Date };

/** The caller must hold the case. Commissions that it held are released after the commit, see `sweepPairs`. */
export async function releaseLocked(tx: Transaction, riskCase: RiskCase, { reason, byActor, byName, at }: Release): Promise<void> {
  const { caseId, storeId } = riskCase;
  await closeCase(tx, caseId, 'released', at);
  await releaseHolds(tx, riskCase, at);
  if (storeId !== null && byActor !== 'system') await releaseWarnings(tx, storeId, caseId, at);
  await insertCaseEvent(tx, caseId, { eventId: newId(at), action: 'released', reason, byActor, byName, details: {}, at });
}

const pairsAtOnceMax = 1_000;
const roundsMax = 10_000;

/**
 * Holds what pairs of one person have in stores, and releases what operators released. It runs each minute; bills and payouts do not
 * depend on it, because they read the pair's own hold.
 */
export async function sweepPairs(platform: Platform): Promise<void> {
  for (const riskCase of await pairsToRelease(platform.database, pairsAtOnceMax)) await sweep(platform, riskCase, 'release');
  for (const riskCase of await pairsToHold(platform.database, pairsAtOnceMax)) await sweep(platform, riskCase, 'hold');
}

async function sweep(platform: Platform, riskCase: RiskCase, action: 'hold' | 'release'): Promise<void> {
  const { caseId, storeId, creatorId } = riskCase;
  if (storeId === null || creatorId === null) return;
  try {
    await (action === 'hold' ? holdAll : releaseAll)(platform, { storeId, creatorId });
    if (action === 'release') await markUnheld(platform.database, caseId, platform.clock.now());
  } catch (error) {
    platform.log.error({ case: publicId('case', caseId), error: toldInLog(error) }, 'risk: the commissions of a pair could not be changed');
  }
}

type Pair = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

const by = { actor: 'system', name: 'platform review' };
const note = 'Under review by the platform.';

const holdAll = ({ database, clock }: Platform, pair: Pair): Promise<void> => {
  const review: Review = { storeId: pair.storeId, action: { do: 'hold', reason: 'fraud_review', note }, by, now: () => clock.now() };
  return each(database, review, (limit) => unheldOfPair(database, pair, limit));
};

const releaseAll = ({ database, clock }: Platform, pair: Pair): Promise<void> => {
  const review: Review = { storeId: pair.storeId, action: { do: 'release', note: null }, by, now: () => clock.now() };
  return each(database, review, (limit) => heldByPlatformOfPair(database, pair, limit));
};

type Next = (limit: number) => Promise<ReadonlyArray<Id<'com'>>>;

async function each(database: Platform['database'], review: Review, next: Next): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const commissionIds = await next(reviewedPerTransactionMax);
    if (commissionIds.length === 0) return;
    const { decided } = await database.transaction((tx) => reviewByIds(tx, review, commissionIds));
    // Somebody else decided on all of them meanwhile; the next sweep looks again.
    if (decided === null || commissionIds.length < reviewedPerTransactionMax) return;
  }
}
