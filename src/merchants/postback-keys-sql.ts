import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import { minuteMs } from '../core/time.ts';

export type PostbackKey = {
  readonly postbackKeyId: Id<'pbkey'>;
  readonly last4: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type KeyOfStore = { readonly storeId: Id<'store'>; readonly postbackKeyId: Id<'pbkey'> };

const columns = sql`postback_key_id, last4, created_at, last_used_at`;

export async function countActiveKeys(db: Queryable, storeId: Id<'store'>): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from postback_keys where store_id = ${storeId} and revoked_at is null`);
  return Number(count);
}

type NewKey = KeyOfStore & { readonly keyHash: Buffer; readonly last4: string; readonly createdAt: Date };

export async function insertPostbackKey(db: Queryable, { storeId, postbackKeyId, keyHash, last4, createdAt }: NewKey): Promise<void> {
  await db.run(sql`
    insert into postback_keys (store_id, postback_key_id, key_hash, last4, created_at)
    values (${storeId}, ${postbackKeyId}, ${keyHash}, ${last4}, ${createdAt})`);
}

/** The keys that can authenticate, newest first. */
export async function listPostbackKeys(db: Queryable, storeId: Id<'store'>, { after, limit }: Page): Promise<PostbackKey[]> {
  return db.all(sql`
    select ${columns} from postback_keys
    where store_id = ${storeId} and revoked_at is null ${after === null ? emptySql : sql`and postback_key_id < ${after[0]}`}
    order by postback_key_id desc limit ${limit + 1}`);
}

/** False if the store never had this key. Revoking again keeps the first time. */
export async function revokePostbackKey(db: Queryable, { storeId, postbackKeyId }: KeyOfStore, at: Date): Promise<boolean> {
  const touched = await db.run(sql`
    update postback_keys set revoked_at = coalesce(revoked_at, ${at}) where store_id = ${storeId} and postback_key_id = ${postbackKeyId}`);
  return touched === 1;
}

export const touchEveryMs = minuteMs;

export async function touchPostbackKey(db: Queryable, { storeId, postbackKeyId }: KeyOfStore, at: Date): Promise<void> {
  await db.run(sql`
    update postback_keys set last_used_at = ${at}
    where store_id = ${storeId} and postback_key_id = ${postbackKeyId}
      and (last_used_at is null or last_used_at <= ${new Date(at.getTime() - touchEveryMs)})`);
}
