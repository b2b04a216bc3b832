import { eraseBiller } from '../billing/erase-sql.ts';
import { eraseDeciderName, sumUnpaidCommissions } from '../commissions/erase-sql.ts';
import { creatorExists, findCreator, lockCreator, lockCreatorShared } from '../creators/creators-sql.ts';
import { eraseCreatorRows, eraseSuspenderName } from '../creators/erase-sql.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { creatorBalances } from '../ledger/creator-ledger-sql.ts';
import { deleteWishesOf } from '../merchants/erase-sql.ts';
import { deleteEmailsTo } from '../notify/emails-sql.ts';
import { eraseVerifier } from '../operations/erase-sql.ts';
import { erasePayee, erasePayer } from '../payouts/erase-sql.ts';
import { findUnfinishedPayout } from '../payouts/payouts-sql.ts';
import { listFormerEmails } from '../people/email-changes-sql.ts';
import { auditRevokedKeys } from '../people/end-access.ts';
import {
  closeCreator,
  deleteInvitationsBy,
  deletePersonTraces,
  deleteUser,
  erasedName,
  erasePersonFromAudit,
  eraseKeys,
  eraseKeysFromAudit,
  listKeysMadeBy,
  listStoresActedIn,
} from '../people/erase-sql.ts';
import { emailOperators, erasedOperatorEmail, operatorsPageUrl } from '../people/operators.ts';
import { updateLastOperatorLeft, operatorsMax } from '../people/operators-sql.ts';
import { lockOwners, listRolesOf, listTeamMembers } from '../people/team-sql.ts';
import {
  findAndLockUser,
  findAndLockUserShared,
  lockOperators,
  listOperatorUsers,
  type User,
  findUserOfCreator,
} from '../people/users-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { type Refusal, refuse } from '../http/responses.ts';
import { type Id, publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { eraseDisputeDeciderName, eraseDisputeTexts } from '../review/erase-sql.ts';
import { deleteRefusedOrdersOfCreator } from '../creators/refused-orders-sql.ts';
import { decideErasure, type ErasureFacts } from './decide-erasure.ts';
import { type DataExport, readCreatorData, readPersonData, readPersonNotificationChoices } from './data-export-sql.ts';

/** Somebody with an account, a creator without one, or both in one. */
export type DataSubject = { readonly user: User | null; readonly creatorId: Id<'crt'> | null };

export const dataSubjectOf = (user: User): DataSubject => ({ user, creatorId: user.creatorId });
/** Null where there is no such creator. */
export const dataSubjectOfCreator = async (db: Queryable, creatorId: Id<'crt'>): Promise<DataSubject | null> =>
  (await creatorExists(db, creatorId)) ? { user: await findUserOfCreator(db, creatorId), creatorId } : null;

/**
 * The same person, kept from being erased until the end of the transaction, so that no export is half of before and half of after.
 * Null where the person was erased in the meantime.
 */
export async function lockAgainstErasure(tx: Transaction, { user, creatorId }: DataSubject): Promise<DataSubject | null> {
  const shared = user && (await findAndLockUserShared(tx, user.userId));
  if (user !== null && shared === null) return null;
  if (creatorId !== null) await lockCreatorShared(tx, creatorId);
  return { user: shared, creatorId };
}

/** Everything that is kept about a person, by table; which columns, and in which form, is named in kept-sql.ts. */
export async function exportPersonData(
  db: Queryable,
  { user, creatorId }: DataSubject,
): Promise<{ readonly person: DataExport; readonly creator: DataExport }> {
  const person = user === null ? {} : await exportUserData(db, user);
  return { person, creator: creatorId === null ? {} : await exportCreatorData(db, creatorId) };
}

async function exportCreatorData(db: Queryable, creatorId: Id<'crt'>): Promise<DataExport> {
  const email = (await findCreator(db, creatorId))?.email ?? '';
  return readCreatorData(db, { creatorId, email, storeIds: await listStoresOfCreator(db, creatorId) });
}

async function exportUserData(db: Queryable, { userId, email }: User): Promise<DataExport> {
  const actor = publicId('user', userId);
  const kept = await readPersonData(db, { userId, actor, email });
  return { ...kept, ...(await readPersonNotificationChoices(db, { userId, storeIds: await storesOf(db, userId, [actor]) })) };
}

/** Those that they are in, and those that they were in when they did something. */
async function storesOf(db: Queryable, userId: Id<'user'>, actors: readonly string[]): Promise<ReadonlyArray<Id<'store'>>> {
  const now = (await listRolesOf(db, userId)).map(({ storeId }) => storeId);
  return [...new Set([...now, ...(await listStoresActedIn(db, actors))])];
}

export type ErasureOptions = { readonly at: Date; readonly isEvenIfOwed: boolean; readonly platform: Pick<Platform, 'secrets' | 'config'> };

/**
 * Takes out of every row what says who somebody was. What the books are made of stays: amounts, times, decisions and ids, which
 * then lead to nobody. In one transaction, so that nobody is half there.
 */
export async function erasePersonData(
  db: Queryable,
  somebody: DataSubject,
  { at, isEvenIfOwed, platform }: ErasureOptions,
): Promise<Refusal | 'erased before' | null> {
  const user = somebody.user && (await lockUser(db, somebody.user));
  // Erased by another request while this one waited for the lock: asking twice has one result.
  if (somebody.user !== null && user === null) return 'erased before';
  const creatorId = user?.creatorId ?? somebody.creatorId;
  if (creatorId !== null) await lockCreator(db, creatorId);
  const decision = decideErasure({ ...(await readErasureFacts(db, { user, creatorId })), isEvenIfOwed });
  if (decision.do === 'refuse') return refuse('conflict', decision.message);
  if (creatorId !== null) await eraseCreator(db, creatorId, at);
  if (user !== null) await eraseUser(db, user, at);
  // Afterwards: the mails that the erased person had are gone, and this one goes to those who are left.
  if (user?.isOperator === true) await emailOperators(db, platform, erasedOperatorEmail({ url: operatorsPageUrl(platform) }));
  return null;
}

/**
 * As they are now, and until the end. The first lock of all, as of whoever takes somebody out of a team; operators all together, so
 * that two of them who go at once have one order.
 */
async function lockUser(db: Queryable, { userId, isOperator }: User): Promise<User | null> {
  if (isOperator) await lockOperators(db);
  return findAndLockUser(db, userId);
}

async function readErasureFacts(db: Queryable, { user, creatorId }: DataSubject): Promise<Omit<ErasureFacts, 'isEvenIfOwed'>> {
  return {
    ...(user === null ? ownsNothing : await readDuties(db, user)),
    ...(creatorId === null ? owedNothing : await readMoneyOwed(db, creatorId)),
  };
}

const ownsNothing = { isLastOperator: false, ownedAlone: 0 };
const owedNothing = { hasUnfinishedPayout: false, owedCents: 0n, onTheWayCents: 0n };

async function readDuties(db: Queryable, { userId, isOperator }: User) {
  let ownedAlone = 0;
  for (const { storeId, role } of await listRolesOf(db, userId)) {
    if (role !== 'owner') continue;
    await lockOwners(db, storeId);
    const team = await listTeamMembers(db, storeId);
    if (!team.some((one) => one.role === 'owner' && one.userId !== userId)) ownedAlone += 1;
  }
  if (isOperator) await lockOperators(db);
  return { ownedAlone, isLastOperator: isOperator && (await listOperatorUsers(db, { most: operatorsMax })).length === 1 };
}

async function readMoneyOwed(db: Queryable, creatorId: Id<'crt'>) {
  const book = await creatorBalances(db, creatorId);
  const owed = book.filter(({ account }) => account === 'available' || account === 'advance');
  return {
    hasUnfinishedPayout: (await findUnfinishedPayout(db, creatorId)) !== null,
    owedCents: owed.reduce((sum, { amount }) => sum + amount, 0n),
    onTheWayCents: await sumUnpaidCommissions(db, { creatorId, storeIds: await listStoresOfCreator(db, creatorId) }),
  };
}

async function eraseCreator(db: Queryable, creatorId: Id<'crt'>, at: Date): Promise<void> {
  const storeIds = await listStoresOfCreator(db, creatorId);
  const email = (await findCreator(db, creatorId))?.email ?? '';
  await eraseCreatorRows(db, { creatorId, storeIds, at, name: erasedName });
  await erasePayee(db, { creatorId, name: erasedName });
  await deleteRefusedOrdersOfCreator(db, { creatorId, storeIds });
  await eraseDisputeTexts(db, { creatorId, storeIds, name: erasedName });
  await closeCreator(db, { creatorId, at });
  await erasePersonFromAudit(db, { actor: publicId('crt', creatorId), email, creatorId });
  if (email !== '') await deleteEmailsTo(db, email);
}

async function eraseUser(db: Queryable, { userId, email, isOperator }: User, at: Date): Promise<void> {
  if (isOperator) await updateLastOperatorLeft(db, at);
  const actor = publicId('user', userId);
  const ended = await eraseKeys(db, { userId, at });
  const keys = (await listKeysMadeBy(db, userId)).map((apiKeyId) => publicId('key', apiKeyId));
  const actors = [actor, ...keys];
  const storeIds = await storesOf(db, userId, actors);
  await eraseActors(db, { actors, storeIds, name: erasedName });
  await eraseKeysFromAudit(db, keys);
  const by = { at, actor: 'system', actorName: 'erasure', requestId: '', addressHash: null };
  await auditRevokedKeys(db, by, { madeBy: userId, keys: ended });
  await deleteWishesOf(db, { userId, storeIds });
  for (const former of await listFormerEmails(db, userId)) {
    await deleteEmailsTo(db, former);
    await deletePersonTraces(db, { actor, email: former });
    await erasePersonFromAudit(db, { actor, email: former, creatorId: null });
  }
  await deleteEmailsTo(db, email);
  await deletePersonTraces(db, { actor, email });
  await deleteInvitationsBy(db, userId);
  await erasePersonFromAudit(db, { actor, email, creatorId: null });
  await deleteUser(db, userId);
}

type Actors = { readonly actors: readonly string[]; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

/**
 * Where what somebody did has their name beside it, or what a key was called that they made. One statement for all of them: where
 * no index has who acted, each goes through whole tables.
 */
async function eraseActors(db: Queryable, by: Actors): Promise<void> {
  await eraseDeciderName(db, by);
  await eraseDisputeDeciderName(db, by);
  await eraseBiller(db, by);
  await erasePayer(db, by);
  await eraseVerifier(db, by);
  await eraseSuspenderName(db, by);
}
