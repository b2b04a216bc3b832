import { newToken } from '../people/tokens.ts';
import type { Queryable } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { countActiveKeys, insertPostbackKey, touchEveryMs, touchPostbackKey, type PostbackKey } from './keys-sql.ts';
import { lockStore } from './stores-sql.ts';

/** Two keys, so that a merchant can rotate them without downtime. */
const activeKeysMax = 2;

export type MadeKey = PostbackKey & {
  /** The plain-text key is shown only once, because only its hash is stored. */
  readonly key: string;
};

export async function createPostbackKey(
  db: Queryable,
  { storeId, at }: { readonly storeId: Id<'store'>; readonly at: Date },
): Promise<MadeKey | Refusal> {
  await lockStore(db, storeId);
  if ((await countActiveKeys(db, storeId)) >= activeKeysMax) {
    return refuse('limit_reached', `At most ${activeKeysMax} postback keys work at once; revoke one that no server uses any more.`);
  }
  const { token: key, hash } = newToken('pbk_');
  const made = { postbackKeyId: newId<'pbkey'>(at), last4: key.slice(-4), createdAt: at };
  await insertPostbackKey(db, { ...made, storeId, keyHash: hash });
  return { ...made, key, lastUsedAt: null };
}

export type UsedKey = { readonly storeId: Id<'store'>; readonly postbackKeyId: Id<'pbkey'> };

/** Limits memory: with more keys in use within a minute, some are written early. */
const rememberedKeysMax = 10_000;

/** Writes "last used" at most once a minute for each key, in the background, so that a failed write does not fail the postback. */
export function postbackKeyTouches({ database, log }: Pick<Platform, 'database' | 'log'>): (used: UsedKey, at: Date) => void {
  const touchedMs = new Map<Id<'pbkey'>, number>();
  return (used, at) => {
    const before = touchedMs.get(used.postbackKeyId);
    if (before !== undefined && at.getTime() - before < touchEveryMs) return;
    if (touchedMs.size >= rememberedKeysMax) touchedMs.clear();
    touchedMs.set(used.postbackKeyId, at.getTime());
    touchPostbackKey(database, used, at).catch((error: unknown) =>
      log.warn({ error: errorForLog(error) }, 'postback key: last use not written'),
    );
  };
}
