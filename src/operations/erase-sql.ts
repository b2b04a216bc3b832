import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';

export async function eraseVerifier(
  db: Queryable,
  { actors, name }: { readonly actors: readonly string[]; readonly name: string },
): Promise<void> {
  await db.run(sql`update verifications set asked_by_name = ${name} where asked_by = any(${texts(actors)})`);
}
