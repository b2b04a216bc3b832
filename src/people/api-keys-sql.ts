import type { Queryable } from '../db/database.ts';
import { sql, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { KeyMaker } from './decide-rights.ts';
import { creatorIdOf, storeIdOf, type Party } from './party.ts';
import { partyCondition } from './party-sql.ts';
import type { Permission } from './permissions.ts';

export type NewKeyRow = {
  readonly apiKeyId: Id<'key'>;
  readonly keyHash: Buffer;
  readonly last4: string;
  readonly name: string;
  readonly party: Party;
  readonly scopes: readonly Permission[];
  readonly madeBy: Id<'user'> | null;
  readonly now: Date;
};

export async function insertApiKey(
  db: Queryable,
  { apiKeyId, keyHash, last4, name, party, scopes, madeBy, now }: NewKeyRow,
): Promise<void> {
  await db.run(sql`
    insert into api_keys (api_key_id, key_hash, last4, name, kind, store_id, creator_id, scopes, made_by, created_at)
    values (${apiKeyId}, ${keyHash}, ${last4}, ${name}, ${party.is}, ${storeIdOf(party)}, ${creatorIdOf(party)},
            ${texts(scopes)}, ${madeBy}, ${now})`);
}

export type KeyRow = {
  readonly apiKeyId: Id<'key'>;
  readonly name: string;
  readonly last4: string;
  readonly scopes: readonly Permission[];
  readonly madeBy: Id<'user'> | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** Returns 0 if the party has no such key, or it was already revoked. */
export function revokeKey(
  db: Queryable,
  { party, apiKeyId, now }: { readonly party: Party; readonly apiKeyId: Id<'key'>; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    update api_keys set revoked_at = ${now} where ${partyCondition(party)} and api_key_id = ${apiKeyId} and revoked_at is null`);
}

/**
 * Locked until the end of the transaction: a concurrent removal of rights either committed before this or finds the key that is created.
 */
export async function lockUserShared(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.all(sql`select user_id from users where user_id = ${userId} for share`);
}

/** Whether the person belongs to the key's party. A separate query, so that it reads the state after the wait for the lock. */
export async function userBelongsTo(db: Queryable, party: Party, userId: Id<'user'>): Promise<boolean> {
  const [storeId, creatorId] = [storeIdOf(party), creatorIdOf(party)];
  const found = await db.find(sql`
    select 1 as one from users where user_id = ${userId}
      and (is_operator or creator_id = ${creatorId}::uuid
        or exists (select 1 from store_roles where store_roles.user_id = users.user_id and store_roles.store_id = ${storeId}::uuid))`);
  return found !== null;
}

export type RevokedKey = Pick<KeyRow, 'apiKeyId'> & { readonly storeId: Id<'store'> | null; readonly creatorId: Id<'crt'> | null };
type Maker = { readonly madeBy: Id<'user'>; readonly now: Date };

/** Keys that the person created there, including through a key of theirs. Uses the index api_keys_of_store. */
export function revokeStoreKeysOf(
  db: Queryable,
  { storeId, madeBy, now }: Maker & { readonly storeId: Id<'store'> },
): Promise<RevokedKey[]> {
  return db.all<RevokedKey>(sql`
    update api_keys set revoked_at = ${now} where store_id = ${storeId} and made_by = ${madeBy} and revoked_at is null
    returning api_key_id, store_id, creator_id`);
}

export type OwnKey = RevokedKey & Pick<KeyWithMaker, 'kind' | 'scopes'> & Pick<KeyRow, 'name' | 'last4' | 'createdAt' | 'lastUsedAt'>;

/** Active keys. Reads all keys, because it runs only when a person's rights change or when they open their own account. */
export function listActiveKeysMadeBy(db: Queryable, madeBy: Id<'user'>): Promise<OwnKey[]> {
  return db.all<OwnKey>(sql`
    select api_key_id, kind, store_id, creator_id, scopes, name, last4, created_at, last_used_at from api_keys
    where made_by = ${madeBy} and revoked_at is null order by api_key_id`);
}

export function revokeKeys(
  db: Queryable,
  { apiKeyIds, now }: { readonly apiKeyIds: ReadonlyArray<Id<'key'>>; readonly now: Date },
): Promise<RevokedKey[]> {
  return db.all<RevokedKey>(sql`
    update api_keys set revoked_at = ${now} where api_key_id = any(${uuids(apiKeyIds)}) and revoked_at is null
    returning api_key_id, store_id, creator_id`);
}

export type KeyWithMaker = Pick<KeyRow, 'apiKeyId' | 'name' | 'scopes' | 'lastUsedAt' | 'madeBy'> & {
  readonly kind: Party['is'];
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
  /** The creator's current state; null if the account is gone or no account created the key. */
  readonly maker: KeyMaker | null;
};

/**
 * A key with the current rights of its creator in one query, because every API key request runs it. Uses the unique key, then primary keys.
 */
const keyWithMaker = sql`
  select api_key_id, name, scopes, last_used_at, kind, store_id, creator_id, made_by,
    (select jsonb_build_object('isOperator', users.is_operator, 'hasSecondFactor', users.totp_confirmed_at is not null,
        'creatorId', users.creator_id, 'role', (
          select role from store_roles where store_roles.user_id = users.user_id and store_roles.store_id = api_keys.store_id))
     from users where users.user_id = api_keys.made_by) as maker
  from api_keys`;

export type ActiveKey = KeyWithMaker & Pick<KeyRow, 'last4' | 'createdAt'>;

/** With the current rights of their creators. Uses api_keys_of_store or api_keys_of_creator; an installation has few operator keys. */
export function listActiveKeys(db: Queryable, party: Party): Promise<ActiveKey[]> {
  return db.all<ActiveKey>(sql`
    select listed.*, api_keys.last4, api_keys.created_at from (${keyWithMaker} where ${partyCondition(party)} and revoked_at is null) listed
    join api_keys using (api_key_id) order by api_key_id`);
}

export const findKeyByHash = (db: Queryable, keyHash: Buffer): Promise<KeyWithMaker | null> =>
  db.find<KeyWithMaker>(sql`${keyWithMaker} where key_hash = ${keyHash} and revoked_at is null`);

/** The same, for a key that was already authenticated. */
export const findActiveKey = (db: Queryable, apiKeyId: Id<'key'>): Promise<KeyWithMaker | null> =>
  db.find<KeyWithMaker>(sql`${keyWithMaker} where api_key_id = ${apiKeyId} and revoked_at is null`);

/** Only the first of several concurrent requests writes. */
export async function updateKeyLastUsed(
  db: Queryable,
  { apiKeyId, now, before }: { readonly apiKeyId: Id<'key'>; readonly now: Date; readonly before: Date },
) {
  await db.run(sql`
    update api_keys set last_used_at = ${now} where api_key_id = ${apiKeyId} and coalesce(last_used_at < ${before}, true)`);
}

/** The person who created a key; null if no account created it. */
export async function findKeyMaker(db: Queryable, apiKeyId: Id<'key'>): Promise<Id<'user'> | null> {
  const key = await db.find<Pick<KeyRow, 'madeBy'>>(sql`select made_by from api_keys where api_key_id = ${apiKeyId}`);
  return key?.madeBy ?? null;
}
