import { eraseBiller } from '../billing/erase-sql.ts';
import { eraseBonusAuthor } from '../bonuses/bonuses-sql.ts';
import { eraseDeciderName, sumUnpaidCommissions } from '../commissions/erase-sql.ts';
import { creatorExists, findCreator, lockCreator, lockCreatorShared } from '../creators/creators-sql.ts';
import { deleteNotesAbout, eraseNoteAuthor } from '../creators/creator-notes-sql.ts';
import { eraseCreatorRows, eraseSuspenderName } from '../creators/erase-sql.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { creatorBalances } from '../ledger/creator-ledger-sql.ts';
import { deleteEmailChoicesOf } from '../merchants/erase-sql.ts';
import { deleteEmailsTo, deleteInboxOf } from '../notify/emails-sql.ts';
import { eraseVerifier } from '../operations/erase-sql.ts';
import { erasePayee, erasePayer } from '../payouts/erase-sql.ts';
import { findUnfinishedPayout } from '../payouts/payouts-sql.ts';
import { listFormerEmails } from '../people/email-changes-sql.ts';
import { deleteImportRowsOf, eraseImporter } from '../outreach/imports-sql.ts';
import { deleteInvitationsTo, eraseInviter } from '../outreach/invitations-sql.ts';
import { eraseSender } from '../outreach/messages-sql.ts';
import { deleteUnsubscribesOf } from '../outreach/unsubscribes-sql.ts';
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

/** A person with an account, a creator without one, or a person who is a creator. */
export type DataSubject = { readonly user: User | null; readonly creatorId: Id<'crt'> | null };

export const dataSubjectOf = (user: User): DataSubject => ({ user, creatorId: user.creatorId });
/** Null if the creator does not exist. */
export const dataSubjectOfCreator = async (db: Queryable, creatorId: Id<'crt'>): Promise<DataSubject | null> =>
  (await creatorExists(db, creatorId)) ? { user: await findUserOfCreator(db, creatorId), creatorId } : null;

/**
 * Locks a person against erasure until the end of the transaction, so that an export is consistent. Null if the person was erased in the
 * meantime.
 */
export async function lockAgainstErasure(tx: Transaction, { user, creatorId }: DataSubject): Promise<DataSubject | null> {
  const shared = user && (await findAndLockUserShared(tx, user.userId));
  if (user !== null && shared === null) return null;
  if (creatorId !== null) await lockCreatorShared(tx, creatorId);
  return { user: shared, creatorId };
}

/** All stored data about a person, by table. data-export-sql.ts lists the columns and their formats. */
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
  const rows = await readPersonData(db, { userId, actor, email });
  return { ...rows, ...(await readPersonNotificationChoices(db, { userId, storeIds: await storesOf(db, userId, [actor]) })) };
}

/** The person's current stores, and those in which they ever acted. */
async function storesOf(db: Queryable, userId: Id<'user'>, actors: readonly string[]): Promise<ReadonlyArray<Id<'store'>>> {
  const now = (await listRolesOf(db, userId)).map(({ storeId }) => storeId);
  return [...new Set([...now, ...(await listStoresActedIn(db, actors))])];
}

export type ErasureOptions = { readonly at: Date; readonly isEvenIfOwed: boolean; readonly platform: Pick<Platform, 'secrets' | 'config'> };

/**
 * Removes personal data from every row, in the caller's transaction. Financial records keep their amounts, times, decisions and IDs, which
 * no longer identify a person.
 */
export async function erasePersonData(
  db: Queryable,
  subject: DataSubject,
  { at, isEvenIfOwed, platform }: ErasureOptions,
): Promise<Refusal | 'erased before' | null> {
  const user = subject.user && (await lockUser(db, subject.user));
  // Another request erased the person while this one waited for the lock; a repeated request has the same result.
  if (subject.user !== null && user === null) return 'erased before';
  const creatorId = user?.creatorId ?? subject.creatorId;
  if (creatorId !== null) await lockCreator(db, creatorId);
  const decision = decideErasure({ ...(await readErasureFacts(db, { user, creatorId })), isEvenIfOwed });
  if (decision.do === 'refuse') return refuse('conflict', decision.message);
  if (creatorId !== null) await eraseCreator(db, creatorId, at);
  if (user !== null) await eraseUser(db, user, at);
  // Sent after the erasure, which deletes the person's emails; only the remaining operators receive it.
  if (user?.isOperator === true) await emailOperators(db, platform, erasedOperatorEmail({ url: operatorsPageUrl(platform) }));
  return null;
}

/**
 * The first lock of the transaction, as in requests that remove a person from a team. All operators are locked together, so that two
 * operators who are erased concurrently cannot deadlock.
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
  await deleteNotesAbout(db, { creatorId, storeIds });
  await deleteUnsubscribesOf(db, creatorId);
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
  await deleteEmailChoicesOf(db, { userId, storeIds });
  for (const former of await listFormerEmails(db, userId)) {
    await deleteEmailsTo(db, former);
    await deleteInvitationsTo(db, former);
    await deleteImportRowsOf(db, former);
    await deletePersonTraces(db, { actor, email: former });
    await erasePersonFromAudit(db, { actor, email: former, creatorId: null });
  }
  await deleteEmailsTo(db, email);
  await deleteInboxOf(db, userId);
  await deleteInvitationsTo(db, email);
  await deleteImportRowsOf(db, email);
  await deletePersonTraces(db, { actor, email });
  await deleteInvitationsBy(db, userId);
  await erasePersonFromAudit(db, { actor, email, creatorId: null });
  await deleteUser(db, userId);
}

type Actors = { readonly actors: readonly string[]; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

/**
 * Removes the person's name and the names of their keys from records of their actions. One call covers all actors, because statements
 * without an index on the actor scan whole tables.
 */
async function eraseActors(db: Queryable, by: Actors): Promise<void> {
  await eraseDeciderName(db, by);
  await eraseDisputeDeciderName(db, by);
  await eraseBonusAuthor(db, by);
  await eraseBiller(db, by);
  await erasePayer(db, by);
  await eraseVerifier(db, by);
  await eraseSuspenderName(db, by);
  await eraseNoteAuthor(db, by);
  await eraseInviter(db, by);
  await eraseImporter(db, by);
  await eraseSender(db, by);
}
