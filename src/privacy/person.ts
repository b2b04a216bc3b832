import { eraseBiller } from '../billing/erase-sql.ts';
import { eraseDecider, unpaidCommissions } from '../commissions/erase-sql.ts';
import { creatorExists, findCreator, lockCreator, shareCreator } from '../creators/creators-sql.ts';
import { eraseCreatorRows, eraseSuspender } from '../creators/erase-sql.ts';
import { storesOfCreator } from '../creators/members-sql.ts';
import { creatorBalances } from '../ledger/creator-sql.ts';
import { deleteWishesOf } from '../merchants/erase-sql.ts';
import { deleteMailsTo } from '../notify/erase-sql.ts';
import { eraseVerifier } from '../operating/erase-sql.ts';
import { erasePayee, erasePayer } from '../payouts/erase-sql.ts';
import { unfinishedPayoutOf } from '../payouts/sql.ts';
import { formerEmailsOf } from '../people/email-changes-sql.ts';
import { tellEndedKeys } from '../people/ended-keys.ts';
import {
  closeCreator,
  deleteTracesOf,
  deleteUser,
  deleteInvitationsBy,
  eraseFromAudit,
  eraseKeys,
  eraseKeysFromAudit,
  erasedName,
  keysMadeBy,
  storesActedIn,
} from '../people/erase-sql.ts';
import { erasedOperatorLetter, mailOperators, teamUrl } from '../people/operator-rules.ts';
import { keepOperatorLeft, operatorsMax } from '../people/operators-sql.ts';
import { lockOwners, rolesOf, teamOf } from '../people/team-sql.ts';
import { findAndLockUser, findAndShareUser, lockOperators, operators, userOfCreator, type User } from '../people/users-sql.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { eraseDisputant, eraseDisputeDecider } from '../review/erase-sql.ts';
import { eraseRefusedOf } from '../creators/refused-sql.ts';
import { decideErasure, type ErasureFacts } from './decide-erasure.ts';
import { keptOfCreator, keptOfPerson, wishesOfPerson, type Kept } from './kept-sql.ts';

/** Somebody with an account, a creator without one, or both in one. */
export type Somebody = { readonly user: User | null; readonly creatorId: Id<'crt'> | null };

export const somebodyWith = (user: User): Somebody => ({ user, creatorId: user.creatorId });
/** Null where there is no such creator. */
export const somebodyWhoIs = async (db: Queryable, creatorId: Id<'crt'>): Promise<Somebody | null> =>
  (await creatorExists(db, creatorId)) ? { user: await userOfCreator(db, creatorId), creatorId } : null;

/**
 * The same person, kept from being erased until the end of the transaction, so that no export is half of before and half of after.
 * Null where the person was erased in the meantime.
 */
export async function keptFromErasure(tx: Transaction, { user, creatorId }: Somebody): Promise<Somebody | null> {
  const shared = user && (await findAndShareUser(tx, user.userId));
  if (user !== null && shared === null) return null;
  if (creatorId !== null) await shareCreator(tx, creatorId);
  return { user: shared, creatorId };
}

/** Everything that is kept about a person, by table; which columns, and in which form, is named in kept-sql.ts. */
export async function exportOf(db: Queryable, { user, creatorId }: Somebody): Promise<{ readonly person: Kept; readonly creator: Kept }> {
  const person = user === null ? {} : await keptOf(db, user);
  return { person, creator: creatorId === null ? {} : await keptOfCreatorWith(db, creatorId) };
}

async function keptOfCreatorWith(db: Queryable, creatorId: Id<'crt'>): Promise<Kept> {
  const email = (await findCreator(db, creatorId))?.email ?? '';
  return keptOfCreator(db, { creatorId, email, storeIds: await storesOfCreator(db, creatorId) });
}

async function keptOf(db: Queryable, { userId, email }: User): Promise<Kept> {
  const actor = publicId('user', userId);
  const kept = await keptOfPerson(db, { userId, actor, email });
  return { ...kept, ...(await wishesOfPerson(db, { userId, storeIds: await storesOf(db, userId, [actor]) })) };
}

/** Those that they are in, and those that they were in when they did something. */
async function storesOf(db: Queryable, userId: Id<'user'>, actors: readonly string[]): Promise<ReadonlyArray<Id<'store'>>> {
  const now = (await rolesOf(db, userId)).map(({ storeId }) => storeId);
  return [...new Set([...now, ...(await storesActedIn(db, actors))])];
}

export type Erasing = { readonly at: Date; readonly isEvenIfOwed: boolean; readonly platform: Pick<Platform, 'secrets' | 'config'> };

/**
 * Takes out of every row what says who somebody was. What the books are made of stays: amounts, times, decisions and ids, which
 * then lead to nobody. In one transaction, so that nobody is half there.
 */
export async function erase(
  db: Queryable,
  somebody: Somebody,
  { at, isEvenIfOwed, platform }: Erasing,
): Promise<Refusal | 'erased before' | null> {
  const user = somebody.user && (await locked(db, somebody.user));
  // Erased by another request while this one waited for the lock: asking twice has one result.
  if (somebody.user !== null && user === null) return 'erased before';
  const creatorId = user?.creatorId ?? somebody.creatorId;
  if (creatorId !== null) await lockCreator(db, creatorId);
  const decision = decideErasure({ ...(await factsOf(db, { user, creatorId })), isEvenIfOwed });
  if (decision.do === 'refuse') return refuse('conflict', decision.message);
  if (creatorId !== null) await eraseCreator(db, creatorId, at);
  if (user !== null) await eraseUser(db, user, at);
  // Afterwards: the mails that the erased person had are gone, and this one goes to those who are left.
  if (user?.isOperator === true) await mailOperators(db, platform, erasedOperatorLetter({ url: teamUrl(platform) }));
  return null;
}

/**
 * As they are now, and until the end. The first lock of all, as of whoever takes somebody out of a team; operators all together, so
 * that two of them who go at once have one order.
 */
async function locked(db: Queryable, { userId, isOperator }: User): Promise<User | null> {
  if (isOperator) await lockOperators(db);
  return findAndLockUser(db, userId);
}

async function factsOf(db: Queryable, { user, creatorId }: Somebody): Promise<Omit<ErasureFacts, 'isEvenIfOwed'>> {
  return {
    ...(user === null ? ownsNothing : await dutiesOf(db, user)),
    ...(creatorId === null ? owedNothing : await moneyOf(db, creatorId)),
  };
}

const ownsNothing = { isLastOperator: false, ownedAlone: 0 };
const owedNothing = { hasUnfinishedPayout: false, owedCents: 0n, onTheWayCents: 0n };

async function dutiesOf(db: Queryable, { userId, isOperator }: User) {
  let ownedAlone = 0;
  for (const { storeId, role } of await rolesOf(db, userId)) {
    if (role !== 'owner') continue;
    await lockOwners(db, storeId);
    const team = await teamOf(db, storeId);
    if (!team.some((one) => one.role === 'owner' && one.userId !== userId)) ownedAlone += 1;
  }
  if (isOperator) await lockOperators(db);
  return { ownedAlone, isLastOperator: isOperator && (await operators(db, { most: operatorsMax })).length === 1 };
}

async function moneyOf(db: Queryable, creatorId: Id<'crt'>) {
  const book = await creatorBalances(db, creatorId);
  const owed = book.filter(({ account }) => account === 'available' || account === 'advance');
  return {
    hasUnfinishedPayout: (await unfinishedPayoutOf(db, creatorId)) !== null,
    owedCents: owed.reduce((sum, { amount }) => sum + amount, 0n),
    onTheWayCents: await unpaidCommissions(db, { creatorId, storeIds: await storesOfCreator(db, creatorId) }),
  };
}

async function eraseCreator(db: Queryable, creatorId: Id<'crt'>, at: Date): Promise<void> {
  const storeIds = await storesOfCreator(db, creatorId);
  const email = (await findCreator(db, creatorId))?.email ?? '';
  await eraseCreatorRows(db, { creatorId, storeIds, at, name: erasedName });
  await erasePayee(db, { creatorId, name: erasedName });
  await eraseRefusedOf(db, { creatorId, storeIds });
  await eraseDisputant(db, { creatorId, storeIds, name: erasedName });
  await closeCreator(db, { creatorId, at });
  await eraseFromAudit(db, { actor: publicId('crt', creatorId), email, creatorId });
  if (email !== '') await deleteMailsTo(db, email);
}

async function eraseUser(db: Queryable, { userId, email, isOperator }: User, at: Date): Promise<void> {
  if (isOperator) await keepOperatorLeft(db, at);
  const actor = publicId('user', userId);
  const ended = await eraseKeys(db, { userId, at });
  const keys = (await keysMadeBy(db, userId)).map((apiKeyId) => publicId('key', apiKeyId));
  const actors = [actor, ...keys];
  const storeIds = await storesOf(db, userId, actors);
  await eraseActors(db, { actors, storeIds, name: erasedName });
  await eraseKeysFromAudit(db, keys);
  const by = { at, actor: 'system', actorName: 'erasure', requestId: '', addressHash: null };
  await tellEndedKeys(db, by, { madeBy: userId, keys: ended });
  await deleteWishesOf(db, { userId, storeIds });
  for (const former of await formerEmailsOf(db, userId)) {
    await deleteMailsTo(db, former);
    await deleteTracesOf(db, { actor, email: former });
    await eraseFromAudit(db, { actor, email: former, creatorId: null });
  }
  await deleteMailsTo(db, email);
  await deleteTracesOf(db, { actor, email });
  await deleteInvitationsBy(db, userId);
  await eraseFromAudit(db, { actor, email, creatorId: null });
  await deleteUser(db, userId);
}

type Actors = { readonly actors: readonly string[]; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

/**
 * Where what somebody did has their name beside it, or what a key was called that they made. One statement for all of them: where
 * no index has who acted, each goes through whole tables.
 */
async function eraseActors(db: Queryable, by: Actors): Promise<void> {
  await eraseDecider(db, by);
  await eraseDisputeDecider(db, by);
  await eraseBiller(db, by);
  await erasePayer(db, by);
  await eraseVerifier(db, by);
  await eraseSuspender(db, by);
}
