import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

type SealedKey = { readonly signingKeyId: Id<'skey'>; readonly signsFrom: Date; readonly keySealed: Buffer };

export const allSigningKeys = (db: Queryable): Promise<SealedKey[]> =>
  db.all(sql`select signing_key_id, signs_from, key_sealed from signing_keys order by signs_from`);

/** Two processes that make the key of one month at once: the first stands, the other's is nothing. */
export async function keepSigningKey(db: Queryable, key: SealedKey & { readonly madeAt: Date }): Promise<void> {
  await db.run(sql`
    insert into signing_keys (signing_key_id, signs_from, key_sealed, made_at)
    values (${key.signingKeyId}, ${key.signsFrom}, ${key.keySealed}, ${key.madeAt})
    on conflict do nothing`);
}

export async function dropSigningKeysBefore(db: Queryable, before: Date): Promise<void> {
  // The key in force at `before` must stay: it signed what came after.
  await db.run(sql`
    delete from signing_keys
    where signs_from < (select max(signs_from) from signing_keys where signs_from <= ${before})`);
}
