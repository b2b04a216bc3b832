import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

export async function eraseVerifier(
  db: Queryable,
  { actors, name }: { readonly actors: readonly string[]; readonly name: string },
): Promise<void> {
  await db.run(sql`update verifications set asked_by_name = ${name} where asked_by = any(${actors}::text[])`);
}
