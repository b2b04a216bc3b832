import type { Queryable } from '../db/database.ts';
import { sql, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** Erases the names of people who requested invoices or created credit notes. */
export async function eraseBiller(
  db: Queryable,
  { actors, name, storeIds }: { readonly actors: readonly string[]; readonly name: string; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<void> {
  await db.run(sql`update billing_runs set asked_by_name = ${name} where asked_by = any(${texts(actors)})`);
  await db.run(sql`update billing_settings set asked_by_name = ${name} where asked_by = any(${texts(actors)})`);
  await db.run(sql`
    update credit_notes set made_by_name = ${name} where store_id = any(${uuids(storeIds)}) and made_by = any(${texts(actors)})`);
}
