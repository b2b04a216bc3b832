import type { Queryable, Transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { PayoutKey } from './payout.ts';

export type Confirmation = { readonly payoutId: Id<'pay'>; readonly userId: Id<'user'>; readonly at: Date };

/** Who holds the payout inserts: of two people at once both stay, and the second sees the first. */
export async function insertConfirmation(
  tx: Transaction,
  { creatorId, payoutId }: PayoutKey,
  by: Omit<Confirmation, 'payoutId'>,
): Promise<void> {
  await tx.run(sql`
    insert into payout_confirmations (creator_id, payout_id, user_id, at) values (${creatorId}, ${payoutId}, ${by.userId}, ${by.at})
    on conflict do nothing`);
}

/** Of the payouts of one page, in the order in which they were given. */
export const confirmationsOf = (db: Queryable, keys: readonly PayoutKey[]): Promise<Confirmation[]> =>
  db.all<Confirmation>(sql`
    select payout_id, user_id, at from payout_confirmations
    where (creator_id, payout_id) in (
      select * from unnest(${keys.map(({ creatorId }) => creatorId)}::uuid[], ${keys.map(({ payoutId }) => payoutId)}::uuid[]))
    order by payout_id, at, user_id`);
