import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

type SealedKey = { readonly signingKeyId: Id<'skey'>; readonly signsFrom: Date; readonly keySealed: Buffer };

export const allSigningKeys = (db: Queryable): Promise<SealedKey[]> =>
  db.all(sql`select signing_key_id, signs_from, key_sealed from signing_keys order by signs_from`);

/** If two processes create the key of a month at the same time, the first one wins. */
export async function insertSigningKey(db: Queryable, key: SealedKey & { readonly madeAt: Date }): Promise<void> {
  await db.run(sql`
    insert into signing_keys (signing_key_id, signs_from, key_sealed, made_at)
    values (${key.signingKeyId}, ${key.signsFrom}, ${key.keySealed}, ${key.madeAt})
    on conflict do nothing`);
}

export async function dropSigningKeysBefore(db: Queryable, before: Date): Promise<void> {
  // Keeps the key in force at `before`, because it signed later clicks.
  await db.run(sql`
    delete from signing_keys
    where signs_from < (select max(signs_from) from signing_keys where signs_from <= ${before})`);
}
