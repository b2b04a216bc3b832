import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** Who asked for payouts, by name. */
export async function erasePayer(
  db: Queryable,
  { actors, name }: { readonly actors: readonly string[]; readonly name: string },
): Promise<void> {
  await db.run(sql`update payout_runs set started_by_name = ${name} where started_by = any(${actors}::text[])`);
  await db.run(sql`update payout_settings set asked_by_name = ${name} where asked_by = any(${actors}::text[])`);
}

/** Where money went to. Amounts, times and the provider's own ids stay: they are the books. */
export async function erasePayee(
  db: Queryable,
  { creatorId, name }: { readonly creatorId: Id<'crt'>; readonly name: string },
): Promise<void> {
  await db.run(sql`
    update payouts set instrument = ${name}
    where creator_id = ${creatorId} and instrument is not null and state in ('paid', 'failed', 'returned')`);
}
