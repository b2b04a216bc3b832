import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

export type KeyOfActor = { readonly actor: string; readonly keyHash: Buffer };

/** Waits for whoever holds the same key in an open transaction, then answers 0 if that one stayed, and 1 if it was rolled back. */
export function insertIdempotencyKey(
  db: Queryable,
  { actor, keyHash, requestHash, now }: KeyOfActor & { readonly requestHash: Buffer; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    insert into idempotency_keys (actor, key_hash, request_hash, made_at)
    values (${actor}, ${keyHash}, ${requestHash}, ${now})
    on conflict do nothing`);
}

export type KeptReply = {
  readonly requestHash: Buffer;
  /** Null: kept before rights were. */
  readonly rights: readonly string[] | null;
  readonly status: number;
  readonly replySealed: Buffer;
};

export function keptReply(db: Queryable, { actor, keyHash }: KeyOfActor): Promise<KeptReply> {
  return db.one<KeptReply>(sql`
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
  }: KeyOfActor & {
    readonly rights: readonly string[];
    readonly status: number;
    readonly replySealed: Buffer;
  },
): Promise<void> {
  await db.run(sql`
    update idempotency_keys set rights = ${rights}::text[], status = ${status}, reply_sealed = ${replySealed}
    where actor = ${actor} and key_hash = ${keyHash}`);
}
