import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** `country` is null for an account started by an earlier release: it is in the platform's country. */
export type StripeAccount = { readonly account: string; readonly country: string | null };

export const findStripeAccount = (db: Queryable, creatorId: Id<'crt'>): Promise<StripeAccount | null> =>
  db.find<StripeAccount>(sql`select account, country from stripe_accounts where creator_id = ${creatorId}`);

/**
 * A creator has one account; an account in another country replaces it. Two parallel requests for the same country get the same account
 * from Stripe.
 */
export async function saveStripeAccount(
  db: Queryable,
  { creatorId, account, country, at }: StripeAccount & { readonly creatorId: Id<'crt'>; readonly at: Date },
): Promise<void> {
  await db.run(sql`
    insert into stripe_accounts (creator_id, account, country, begun_at) values (${creatorId}, ${account}, ${country}, ${at})
    on conflict (creator_id) do update set account = excluded.account, country = excluded.country, begun_at = excluded.begun_at
      where stripe_accounts.account <> excluded.account`);
}
