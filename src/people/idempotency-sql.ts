import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';

export type ActorKey = { readonly actor: string; readonly keyHash: Buffer };

/** Waits for an open transaction that holds the same key. Returns 0 if that transaction commits and 1 if it rolls back. */
export function insertIdempotencyKey(
  db: Queryable,
  { actor, keyHash, requestHash, now }: ActorKey & { readonly requestHash: Buffer; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    insert into idempotency_keys (actor, key_hash, request_hash, made_at)
    values (${actor}, ${keyHash}, ${requestHash}, ${now})
    on conflict do nothing`);
}

export type StoredReply = {
  readonly requestHash: Buffer;
  /** Null for rows that were stored before rights were recorded. */
  readonly rights: readonly string[] | null;
  readonly status: number;
  readonly replySealed: Buffer;
};

export function getStoredReply(db: Queryable, { actor, keyHash }: ActorKey): Promise<StoredReply> {
  return db.one<StoredReply>(sql`
    select request_hash, rights, status, reply_sealed from idempotency_keys where actor = ${actor} and key_hash = ${keyHash}`);
}

export async function updateReply(
  db: Queryable,
  {
    actor,
    keyHash,
    rights,
    status,
    replySealed,
  }: ActorKey & {
    readonly rights: readonly string[];
    readonly status: number;
    readonly replySealed: Buffer;
  },
): Promise<void> {
  await db.run(sql`
    update idempotency_keys set rights = ${texts(rights)}, status = ${status}, reply_sealed = ${replySealed}
    where actor = ${actor} and key_hash = ${keyHash}`);
}
