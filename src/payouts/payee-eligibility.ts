import { findCreator } from '../creators/creators-sql.ts';
import { isCreatorOnHold } from '../holds/holds-sql.ts';
import { findPayoutMethod, type PayoutMethod } from '../creators/payout-methods-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';

/** The facts about a creator that decide whether they can be paid. */
export type PayeeEligibility = {
  readonly email: string;
  readonly isSuspended: boolean;
  readonly isUnderReview: boolean;
  readonly ownMinimum: Cents | null;
  readonly method: PayoutMethod | null;
};

export async function readPayeeEligibility(db: Queryable, creatorId: Id<'crt'>): Promise<PayeeEligibility> {
  const creator = await findCreator(db, creatorId);
  invariant(creator, 'creators are never deleted');
  return {
    email: creator.email,
    isSuspended: creator.suspendedAt !== null,
    isUnderReview: await isCreatorOnHold(db, creatorId),
    ownMinimum: creator.payoutMinimumCents,
    method: await findPayoutMethod(db, creatorId),
  };
}
