import { newToken } from '../people/tokens.ts';
import type { Queryable } from '../platform/database/database.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { countActiveKeys, insertPostbackKey, touchEveryMs, touchPostbackKey, type PostbackKey } from './keys-sql.ts';
import { lockStore } from './stores-sql.ts';

/** Two, so that a key can be changed without a moment in which none works. */
const activeKeysMax = 2;

export type MadeKey = PostbackKey & {
  /** The key itself, this once: only its hash is kept. */
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

/** More keys than this in use within a minute, and some are written again a little early. */
const rememberedKeysMax = 10_000;

/** "Last used" is worth a write a minute, not one per postback. Nobody waits for it, and nobody fails by it. */
export function postbackKeyTouches({ database, log }: Pick<Platform, 'database' | 'log'>): (used: UsedKey, at: Date) => void {
  const touchedMs = new Map<Id<'pbkey'>, number>();
  return (used, at) => {
    const before = touchedMs.get(used.postbackKeyId);
    if (before !== undefined && at.getTime() - before < touchEveryMs) return;
    if (touchedMs.size >= rememberedKeysMax) touchedMs.clear();
    touchedMs.set(used.postbackKeyId, at.getTime());
    touchPostbackKey(database, used, at).catch((error: unknown) =>
      log.warn({ error: toldInLog(error) }, 'postback key: last use not written'),
    );
  };
}
