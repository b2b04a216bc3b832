import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** Erases the names of people who requested payouts. */
export async function erasePayer(
  db: Queryable,
  { actors, name }: { readonly actors: readonly string[]; readonly name: string },
): Promise<void> {
  await db.run(sql`update payout_runs set started_by_name = ${name} where started_by = any(${texts(actors)})`);
  await db.run(sql`update payout_settings set asked_by_name = ${name} where asked_by = any(${texts(actors)})`);
}

/** Erases destinations. Amounts, times, and provider IDs remain, because the ledger needs them. */
export async function erasePayee(
  db: Queryable,
  { creatorId, name }: { readonly creatorId: Id<'crt'>; readonly name: string },
): Promise<void> {
  await db.run(sql`
    update payouts set instrument = ${name}
    where creator_id = ${creatorId} and instrument is not null and state in ('paid', 'failed', 'returned')`);
}
