import { apiMessage } from '../messages/api-message.ts';
import { initialHold, openCommission, type OpenedCommission } from '../commissions/commission.ts';
import { openCommissions } from '../commissions/commissions-sql.ts';
import { openedRollups } from '../commissions/rollups.ts';
import { maskKeys } from '../core/mask-keys.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { noCents, type Cents } from '../core/money.ts';
import { createLink } from '../creators/links.ts';
import { findBonusLink, lockMembership, setBonusLink, type Member } from '../creators/members-sql.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { accrual } from '../ledger/store-postings.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import { findProgram, type ProgramName } from '../merchants/programs-sql.ts';
import { findStore, lockStore, statusOf } from '../merchants/stores-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { listRolesOf } from '../people/team-sql.ts';
import { findUserOfCreator } from '../people/users-sql.ts';
import { addLinkRollups } from '../rollups/rollups-sql.ts';
import { insertBonus, sumBonusesSince, type Bonus } from './bonuses-sql.ts';
import { decideBonus } from './decide-bonus.ts';
import { startOfDay } from '../core/time.ts';

export type NewBonus = ProgramName & {
  /** Null: the given ID is not a creator ID. */
  readonly creatorId: Id<'crt'> | null;
  readonly amount: Cents;
  readonly reason: string;
  readonly orderId: string | null;
  readonly by: { readonly actor: string; readonly name: string; readonly creatorId: Id<'crt'> | null };
  readonly at: Date;
};

/** Decides under the lock of the store, so that two bonuses together cannot exceed the limit of a day. */
export async function addBonus(tx: Transaction, wanted: NewBonus): Promise<Bonus | Refusal> {
  const { storeId, programId, creatorId, amount, at } = wanted;
  if ((await findProgram(tx, wanted)) === null) return notFound;
  await lockStore(tx, storeId);
  const store = await findStore(tx, storeId);
  invariant(store !== null, 'a program belongs to a store');
  const member = creatorId === null ? null : await lockMembership(tx, { storeId, programId, creatorId });
  const terms = termsInForce(await termsOfProgram(tx, wanted), at);
  const day = await sumBonusesSince(tx, storeId, startOfDay(at));
  const decision = decideBonus(amount, {
    isStoreActive: statusOf(store) === 'active',
    memberStatus: member?.status ?? null,
    hasTerms: terms !== null,
    isOwnCreator: member !== null && (await isOwnCreator(tx, member, wanted.by.creatorId)),
    day: { count: Number(day.count), amount: day.amount },
  });
  if (decision.do === 'refuse') return refusalOf(decision);
  invariant(member !== null && terms !== null, 'the decision requires a member and terms');
  const linkNumber = await linkOf(tx, member, at);
  return isRefusal(linkNumber) ? linkNumber : writeBonus(tx, wanted, { member, terms, linkNumber });
}

const refusalOf = ({
  reason,
  message,
  field,
}: {
  readonly reason: Refusal['reason'];
  readonly message: string;
  readonly field: string | null;
}) => (field === null ? refuse(reason, message) : refuse(reason, apiMessage('bonus.invalid'), [{ field, message }]));

/** A person must not pay themselves or a colleague with the store's money. */
async function isOwnCreator(db: Queryable, { storeId, creatorId }: Member, ofActor: Id<'crt'> | null): Promise<boolean> {
  if (ofActor === creatorId) return true;
  const user = await findUserOfCreator(db, creatorId);
  return user !== null && (await listRolesOf(db, user.userId)).some((role) => role.storeId === storeId);
}

/** The first bonus of a member creates a link, under which all reports count the member's bonuses. */
export async function linkOf(db: Queryable, member: Member, at: Date): Promise<bigint | Refusal> {
  const existing = await findBonusLink(db, member);
  if (existing !== null) return existing;
  const link = await createLink(db, { ...member, destinationUrl: null, code: null, at });
  if (isRefusal(link)) return link;
  await setBonusLink(db, member, link.linkNumber);
  return link.linkNumber;
}

type BonusFacts = { readonly member: Member; readonly terms: Terms; readonly linkNumber: bigint };

async function writeBonus(tx: Transaction, wanted: NewBonus, { member, terms, linkNumber }: BonusFacts): Promise<Bonus> {
  const { amount, at, by } = wanted;
  const bonus: Bonus = {
    ...member,
    bonusId: newId<'bonus'>(at),
    commissionId: newId<'com'>(at),
    amountCents: amount,
    reason: maskKeys(wanted.reason).text,
    orderId: wanted.orderId === null ? null : maskKeys(wanted.orderId).text,
    addedBy: by.actor,
    addedByName: by.name,
    addedAt: at,
    ...noGoal,
  };
  await openBonus(tx, bonus, { terms, linkNumber });
  return bonus;
}

const noGoal = { goalKey: null, goalMonth: null, goalVersion: null, goalCommissions: null } as const;

/** False: another process added the bonus of this goal. */
export async function openBonus(tx: Transaction, bonus: Bonus, { terms, linkNumber }: Omit<BonusFacts, 'member'>): Promise<boolean> {
  const { addedAt: at, amountCents: amount } = bonus;
  const suspended = await listSuspendedCreators(tx, [bonus]);
  const commission = commissionOf(bonus, { terms, linkNumber, isCreatorSuspended: suspended.has(bonus.creatorId) });
  if ((await insertBonus(tx, bonus)) === 0) return false;
  await openCommissions(tx, [commission]);
  await postStoreTransfers(tx, accrual({ ...bonus, amount }, { kind: 'bonus', id: bonus.bonusId }, at));
  await addLinkRollups(tx, openedRollups([commission]));
  return true;
}

type OpeningFacts = Pick<BonusFacts, 'terms' | 'linkNumber'> & { readonly isCreatorSuspended: boolean };

/** A flat rate of the whole amount, on no eligible amount. The hold and the approval of the terms in force apply. */
function commissionOf(bonus: Bonus, { terms, linkNumber, isCreatorSuspended }: OpeningFacts): OpenedCommission {
  const { storeId, commissionId, programId, creatorId, amountCents: amount, addedAt: at } = bonus;
  return openCommission(
    {
      storeId,
      commissionId,
      programId,
      creatorId,
      linkNumber,
      source: { kind: 'bonus', id: bonus.bonusId, text: bonus.reason },
      eligible: noCents,
      earning: { amount, parts: [{ productId: null, of: amount, quantity: 1n, rate: { is: 'flat', cents: amount }, amount }] },
      occurredAt: at,
      recordedAt: at,
      held: initialHold({ wasReversedEarly: false, isCreatorSuspended }, at),
    },
    terms,
  );
}
