import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** Who asked for a bill or made a credit note, by name. */
export async function eraseBiller(
  db: Queryable,
  { actors, name, storeIds }: { readonly actors: readonly string[]; readonly name: string; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<void> {
  await db.run(sql`update billing_runs set asked_by_name = ${name} where asked_by = any(${actors}::text[])`);
  await db.run(sql`update billing_settings set asked_by_name = ${name} where asked_by = any(${actors}::text[])`);
  await db.run(sql`
    update credit_notes set made_by_name = ${name} where store_id = any(${storeIds}::uuid[]) and made_by = any(${actors}::text[])`);
}
