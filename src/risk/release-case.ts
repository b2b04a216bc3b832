import { listHeldByPlatform, listUnheldOfCreator } from '../commissions/review-sql.ts';
import { releaseHolds } from '../holds/holds-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { type Id, newId, publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { type Review, reviewedPerTransactionMax } from '../review/apply-review.ts';
import { reviewByIds } from '../review/bulk-review.ts';
import type { RiskCase } from './risk-case.ts';
import { type CaseEvent, closeCase, insertCaseEvent, markUnheld, listPairsToHold, listPairsToRelease } from './cases-sql.ts';
import { releaseWarnings } from './warnings-sql.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { findPayoutAccounts } from '../creators/payout-accounts.ts';
import type { Identity } from '../people/identity.ts';
import { areOperatorRulesOn } from '../people/operators.ts';
import { findOperatorPerson, type OperatorPerson } from '../people/operators-sql.ts';
import { normalizeMailbox } from '../people/normalize-mailbox.ts';
import { listTeamMembers } from '../people/team-sql.ts';
import { findUserOfCreator } from '../people/users-sql.ts';
import { type Refusal, refuse } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';

type Release = Pick<CaseEvent, 'byActor' | 'byName' | 'at'> & { readonly reason: string; readonly details?: CaseEvent['details'] };

/** The caller must hold the case lock. Its commissions are released after the commit, see `applyPairHolds`. */
export async function releaseLocked(
  tx: Transaction,
  riskCase: RiskCase,
  { reason, byActor, byName, details = {}, at }: Release,
): Promise<void> {
  const { caseId, storeId } = riskCase;
  await closeCase(tx, caseId, 'released', at);
  await releaseHolds(tx, riskCase, at);
  if (storeId !== null && byActor !== 'system') await releaseWarnings(tx, storeId, caseId, at);
  await insertCaseEvent(tx, caseId, { eventId: newId(at), action: 'released', reason, byActor, byName, details, at });
}

const pairsPerRound = 1_000;

const roundsMax = 10_000;

/**
 * Holds the commissions of pairs that are one person, and releases those of released cases. It runs each minute; invoices and payouts
 * do not depend on it, because they read the pair's hold.
 */
export async function applyPairHolds(platform: Platform): Promise<void> {
  for (const riskCase of await listPairsToRelease(platform.database, pairsPerRound)) await applyHolds(platform, riskCase, 'release');
  for (const riskCase of await listPairsToHold(platform.database, pairsPerRound)) await applyHolds(platform, riskCase, 'hold');
}

async function applyHolds(platform: Platform, riskCase: RiskCase, action: 'hold' | 'release'): Promise<void> {
  const { caseId, storeId, creatorId } = riskCase;
  if (storeId === null || creatorId === null) return;
  try {
    await (action === 'hold' ? holdAll : releaseAll)(platform, { storeId, creatorId });
    if (action === 'release') await markUnheld(platform.database, caseId, platform.clock.now());
  } catch (error) {
    platform.log.error(
      { case: publicId('case', caseId), error: errorForLog(error) },
      'risk: the commissions of a pair could not be changed',
    );
  }
}

type Pair = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

const by = { actor: 'system', name: 'platform review' };

const note = apiMessage('release_case.under_review_by_platform');

const holdAll = ({ database, clock }: Platform, pair: Pair): Promise<void> => {
  const review: Review = { storeId: pair.storeId, action: { do: 'hold', reason: 'fraud_review', note }, by, now: () => clock.now() };
  return forEachChunk(database, review, (limit) => listUnheldOfCreator(database, pair, limit));
};

const releaseAll = ({ database, clock }: Platform, pair: Pair): Promise<void> => {
  const review: Review = { storeId: pair.storeId, action: { do: 'release', note: null }, by, now: () => clock.now() };
  return forEachChunk(database, review, (limit) => listHeldByPlatform(database, pair, limit));
};

type Next = (limit: number) => Promise<ReadonlyArray<Id<'com'>>>;

async function forEachChunk(database: Platform['database'], review: Review, next: Next): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const commissionIds = await next(reviewedPerTransactionMax);
    if (commissionIds.length === 0) return;
    const { decided } = await database.transaction((tx) => reviewByIds(tx, review, commissionIds));
    // All of them were decided meanwhile; the next run checks again.
    if (decided === null || commissionIds.length < reviewedPerTransactionMax) return;
  }
}

/** The subject of a case or of a reserve period. */
type About = { readonly storeId: Id<'store'> | null; readonly creatorId: Id<'crt'> | null };

type Releasing = { readonly platform: Platform; readonly identity: Identity };

const ownStore = refuse('unprocessable', apiMessage('release_case.you_team_store_so_another'));

const ownMoney = refuse('unprocessable', apiMessage('release_case.you_are_or_look_like'));

/**
 * An operator must not release a hold on their own money, as a creator or as a member of the store's team. In the sandbox they may,
 * unless the rules of live mode are enabled.
 */
export async function releaserRefusal(
  db: Queryable,
  { platform, identity }: Releasing,
  { storeId, creatorId }: About,
): Promise<Refusal | null> {
  if (identity.by.is !== 'session' || !(await areOperatorRulesOn(db, platform))) return null;
  const { userId } = identity.by;
  const person = await findOperatorPerson(db, userId);
  if (person === null) return null;
  if (storeId !== null && (await listTeamMembers(db, storeId)).some((member) => member.userId === userId)) return ownStore;
  if (creatorId !== null) return (await isCreator(db, platform, person, creatorId)) ? ownMoney : null;
  const isOwnCreator = storeId !== null && person.creatorId !== null && (await listStoresOfCreator(db, person.creatorId)).includes(storeId);
  return isOwnCreator ? ownMoney : null;
}

/** Compares user, mailbox, and current and former payout accounts. */
async function isCreator(db: Queryable, { secrets }: Platform, person: OperatorPerson, creatorId: Id<'crt'>): Promise<boolean> {
  if (person.creatorId === creatorId) return true;
  const emails = [(await findCreator(db, creatorId))?.email, (await findUserOfCreator(db, creatorId))?.email];
  if (emails.some((email) => email !== undefined && email !== '' && normalizeMailbox(email) === normalizeMailbox(person.email)))
    return true;
  if (person.creatorId === null) return false;
  const own = await findPayoutAccounts(db, secrets, person.creatorId);
  return [...(await findPayoutAccounts(db, secrets, creatorId))].some((account) => own.has(account));
}
