import { findCreator } from '../creators/creators-sql.ts';
import { storesOfCreator } from '../creators/members-sql.ts';
import { payoutAccountsOf } from '../creators/payout-accounts.ts';
import type { Identity } from '../people/identity.ts';
import { areOperatorRulesOn } from '../people/operator-rules.ts';
import { operatorPerson, type OperatorPerson } from '../people/operators-sql.ts';
import { mailboxOf } from '../people/same-mailbox.ts';
import { teamOf } from '../people/team-sql.ts';
import { userOfCreator } from '../people/users-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';

/** What a case, or a reserve period, keeps back money of. */
type About = { readonly storeId: Id<'store'> | null; readonly creatorId: Id<'crt'> | null };
type Releasing = { readonly platform: Platform; readonly identity: Identity };

const ownStore = refuse('unprocessable', 'You are in the team of this store, so another operator has to release it.');
const ownMoney = refuse(
  'unprocessable',
  'You are, or look like, a creator whose money this keeps back, so another operator has to release it.',
);

/**
 * An operator does not release what keeps back their own money, as a creator or in the team of the store. In the sandbox one person
 * may, unless the rules of live mode are tried there.
 */
export async function releaserRefusal(
  db: Queryable,
  { platform, identity }: Releasing,
  { storeId, creatorId }: About,
): Promise<Refusal | null> {
  if (identity.by.is !== 'session' || !(await areOperatorRulesOn(db, platform))) return null;
  const { userId } = identity.by;
  const person = await operatorPerson(db, userId);
  if (person === null) return null;
  if (storeId !== null && (await teamOf(db, storeId)).some((member) => member.userId === userId)) return ownStore;
  if (creatorId !== null) return (await isCreator(db, platform, person, creatorId)) ? ownMoney : null;
  const isOwnCreator = storeId !== null && person.creatorId !== null && (await storesOfCreator(db, person.creatorId)).includes(storeId);
  return isOwnCreator ? ownMoney : null;
}

/** By account, mailbox, or where either is or was paid to. */
async function isCreator(db: Queryable, { secrets }: Platform, person: OperatorPerson, creatorId: Id<'crt'>): Promise<boolean> {
  if (person.creatorId === creatorId) return true;
  const emails = [(await findCreator(db, creatorId))?.email, (await userOfCreator(db, creatorId))?.email];
  if (emails.some((email) => email !== undefined && email !== '' && mailboxOf(email) === mailboxOf(person.email))) return true;
  if (person.creatorId === null) return false;
  const own = await payoutAccountsOf(db, secrets, person.creatorId);
  return [...(await payoutAccountsOf(db, secrets, creatorId))].some((account) => own.has(account));
}
