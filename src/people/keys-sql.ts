import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { KeyMaker } from './decide-key-rights.ts';
import { creatorIdOf, storeIdOf, type Party } from './party.ts';
import { ofParty } from './party-sql.ts';
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
            ${scopes}::text[], ${madeBy}, ${now})`);
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

export function activeKeys(db: Queryable, party: Party): Promise<KeyRow[]> {
  return db.all<KeyRow>(sql`
    select api_key_id, name, last4, scopes, made_by, created_at, last_used_at from api_keys
    where ${ofParty(party)} and revoked_at is null order by api_key_id`);
}

/** 0 where the party has no such key, or it was revoked before. */
export function revokeKey(
  db: Queryable,
  { party, apiKeyId, now }: { readonly party: Party; readonly apiKeyId: Id<'key'>; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    update api_keys set revoked_at = ${now} where ${ofParty(party)} and api_key_id = ${apiKeyId} and revoked_at is null`);
}

/** Locked until the end of the transaction: whoever takes a right from them came before this, or finds the key that is made. */
export async function lockMaker(db: Queryable, userId: Id<'user'>): Promise<void> {
  await db.all(sql`select user_id from users where user_id = ${userId} for share`);
}

/** Whether somebody has to do with whom the key is for. A question of its own: what was locked is read as it is after the wait. */
export async function belongsTo(db: Queryable, party: Party, userId: Id<'user'>): Promise<boolean> {
  const [storeId, creatorId] = [storeIdOf(party), creatorIdOf(party)];
  const found = await db.find(sql`
    select 1 as one from users where user_id = ${userId}
      and (is_operator or creator_id = ${creatorId}::uuid
        or exists (select 1 from store_roles where store_roles.user_id = users.user_id and store_roles.store_id = ${storeId}::uuid))`);
  return found !== null;
}

export type EndedKey = Pick<KeyRow, 'apiKeyId'> & { readonly storeId: Id<'store'> | null; readonly creatorId: Id<'crt'> | null };
type Maker = { readonly madeBy: Id<'user'>; readonly now: Date };

/** What somebody made there, by a key of theirs too. By api_keys_of_store. */
export function revokeStoreKeysOf(db: Queryable, { storeId, madeBy, now }: Maker & { readonly storeId: Id<'store'> }): Promise<EndedKey[]> {
  return db.all<EndedKey>(sql`
    update api_keys set revoked_at = ${now} where store_id = ${storeId} and made_by = ${madeBy} and revoked_at is null
    returning api_key_id, store_id, creator_id`);
}

export type MadeKey = EndedKey & Pick<KeyInUse, 'kind' | 'scopes'> & Pick<KeyRow, 'name' | 'last4' | 'createdAt' | 'lastUsedAt'>;

/** Those that work. Reads all keys: asked when somebody's rights change, and when they look at their own account. */
export function workingKeysMadeBy(db: Queryable, madeBy: Id<'user'>): Promise<MadeKey[]> {
  return db.all<MadeKey>(sql`
    select api_key_id, kind, store_id, creator_id, scopes, name, last4, created_at, last_used_at from api_keys
    where made_by = ${madeBy} and revoked_at is null order by api_key_id`);
}

export function revokeKeys(
  db: Queryable,
  { apiKeyIds, now }: { readonly apiKeyIds: ReadonlyArray<Id<'key'>>; readonly now: Date },
): Promise<EndedKey[]> {
  return db.all<EndedKey>(sql`
    update api_keys set revoked_at = ${now} where api_key_id = any(${apiKeyIds}::uuid[]) and revoked_at is null
    returning api_key_id, store_id, creator_id`);
}

export type KeyInUse = Pick<KeyRow, 'apiKeyId' | 'name' | 'scopes' | 'lastUsedAt' | 'madeBy'> & {
  readonly kind: Party['is'];
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
  /** Who made it, as they are now; null where the account is gone, or where nobody with an account made it. */
  readonly maker: KeyMaker | null;
};

/** A key with the current rights of its maker, in one query: every request of a program asks this. By unique key, then primary keys. */
const keyWithMaker = sql`
  select api_key_id, name, scopes, last_used_at, kind, store_id, creator_id, made_by,
    (select jsonb_build_object('isOperator', users.is_operator, 'hasSecondFactor', users.totp_confirmed_at is not null,
        'creatorId', users.creator_id, 'role', (
          select role from store_roles where store_roles.user_id = users.user_id and store_roles.store_id = api_keys.store_id))
     from users where users.user_id = api_keys.made_by) as maker
  from api_keys`;

export const keyByHash = (db: Queryable, keyHash: Buffer): Promise<KeyInUse | null> =>
  db.find<KeyInUse>(sql`${keyWithMaker} where key_hash = ${keyHash} and revoked_at is null`);

/** The same, of a key that was used before. */
export const keyInForce = (db: Queryable, apiKeyId: Id<'key'>): Promise<KeyInUse | null> =>
  db.find<KeyInUse>(sql`${keyWithMaker} where api_key_id = ${apiKeyId} and revoked_at is null`);

/** Of many requests at once the first writes. */
export async function updateLastUsed(
  db: Queryable,
  { apiKeyId, now, before }: { readonly apiKeyId: Id<'key'>; readonly now: Date; readonly before: Date },
) {
  await db.run(sql`
    update api_keys set last_used_at = ${now} where api_key_id = ${apiKeyId} and coalesce(last_used_at < ${before}, true)`);
}

/** Who made a key; null where it was made by nobody who has an account. */
export async function makerOfKey(db: Queryable, apiKeyId: Id<'key'>): Promise<Id<'user'> | null> {
  const key = await db.find<Pick<KeyRow, 'madeBy'>>(sql`select made_by from api_keys where api_key_id = ${apiKeyId}`);
  return key?.madeBy ?? null;
}
