import { findCreator } from '../creators/creators-sql.ts';
import { isCreatorOnHold } from '../holds/holds-sql.ts';
import { findPayoutMethod, type PayoutMethod } from '../creators/payout-methods-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';

/** What the room of creators knows of who is to be paid. */
export type Standing = {
  readonly email: string;
  readonly isSuspended: boolean;
  readonly isUnderReview: boolean;
  readonly ownMinimum: Cents | null;
  readonly method: PayoutMethod | null;
};

export async function standingOf(db: Queryable, creatorId: Id<'crt'>): Promise<Standing> {
  const creator = await findCreator(db, creatorId);
  must(creator, 'creators are never deleted');
  return {
    email: creator.email,
    isSuspended: creator.suspendedAt !== null,
    isUnderReview: await isCreatorOnHold(db, creatorId),
    ownMinimum: creator.payoutMinimumCents,
    method: await findPayoutMethod(db, creatorId),
  };
}
