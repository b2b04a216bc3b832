import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** `country` is null for an account begun by an earlier release, which did not ask: it is in the platform's country. */
export type Connected = { readonly account: string; readonly country: string | null };

export const findConnected = (db: Queryable, creatorId: Id<'crt'>): Promise<Connected | null> =>
  db.find<Connected>(sql`select account, country from stripe_accounts where creator_id = ${creatorId}`);

/**
 * A creator has one account that was begun; one in another country takes its place. Two that begin it for the same country at once were
 * given the same account by Stripe.
 */
export async function keepConnected(
  db: Queryable,
  { creatorId, account, country, at }: Connected & { readonly creatorId: Id<'crt'>; readonly at: Date },
): Promise<void> {
  await db.run(sql`
    insert into stripe_accounts (creator_id, account, country, begun_at) values (${creatorId}, ${account}, ${country}, ${at})
    on conflict (creator_id) do update set account = excluded.account, country = excluded.country, begun_at = excluded.begun_at
      where stripe_accounts.account <> excluded.account`);
}
