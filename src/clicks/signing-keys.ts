import { createSecretKey, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SigningKey } from '../contract/click-id.ts';
import { newId } from '../platform/ids.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import type { Platform } from '../platform/platform.ts';
import { dayMs, plusDays, secondMs } from '../platform/time.ts';
import { keptDays } from './partitions.ts';
import { allSigningKeys, dropSigningKeysBefore, keepSigningKey } from './signing-keys-sql.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';

/**
 * The keys that sign click IDs. A click's own time says which key signed it, so verifying reads nothing but memory. All
 * processes know a key long before it signs: it is made more than a day ahead, and rings are read again every half minute.
 */
export type KeyRing = {
  /** For verifying. */
  readonly keys: () => readonly SigningKey[];
  /**
   * For minting: whoever verifies later may know more keys, so none that signs at this moment may be missing. Null where one may be
   * missing that could not be read in time: what an older key signs now would be forged to all who know the newer one.
   */
  readonly keysAt: (at: Date) => Promise<readonly SigningKey[] | null>;
  /** Read again: before a signature is called forged. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
};

const refreshMs = 30 * secondMs;
/** A key is made this long before it signs, and signs from the beginning of a month: who read them since lacks none of that month's. */
const aheadMs = dayMs;
/**
 * How long a shopper waits for keys. Live they are old only where the database was away for a day, and nobody waits for that. The
 * sandbox's clock makes them old at once: there two readings are waited for, also on a busy machine.
 */
const patienceMs = { live: 40, sandbox: secondMs } as const;
/** The first reading may have begun before the clock was moved. */
const readingsMax = 2;
const keyBytes = 32;
/** The first key of an installation signs whatever time a click may have. */
const beginning = new Date(0);

export async function openKeyRing(platform: Platform): Promise<KeyRing> {
  let keys: readonly SigningKey[] = [];
  let readAt = beginning;
  let reading: Promise<void> | null = null;
  const read = async () => {
    const askedAt = platform.clock.now();
    const rows = await allSigningKeys(platform.database);
    readAt = askedAt;
    keys = rows.map(({ signingKeyId, signsFrom, keySealed }) => ({
      signsFrom,
      key: createSecretKey(opened(platform, signingKeyId, keySealed)),
    }));
  };
  const refresh = (): Promise<void> => (reading ??= read().finally(() => (reading = null)));
  await refresh();
  if (keys.length === 0) {
    await makeSigningKey(platform, beginning);
    await refresh();
  }
  const lacksNone = (at: Date): boolean => beginningOfMonth(at, 0).getTime() - readAt.getTime() <= aheadMs;
  const readFor = async (at: Date): Promise<void> => {
    for (let round = 0; round < readingsMax && !lacksNone(at); round++) await refresh().catch(() => {});
  };
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => platform.log.warn({ error: toldInLog(error) }, 'signing keys could not be read again'));
  }, refreshMs);
  timer.unref();
  return {
    keys: () => keys,
    async keysAt(at) {
      if (!lacksNone(at)) await Promise.race([readFor(at), pause(patienceMs[platform.config.mode])]);
      return lacksNone(at) ? keys : null;
    },
    refresh,
    close: () => clearInterval(timer),
  };
}

/**
 * The night job: a key for the month that comes. Made twice it is made once: the first stands. The clock is asked too,
 * because a job that was away catches up on nights long past, and a key that signs from a day in the past would make
 * forgeries of the clicks signed since.
 */
export async function makeNextSigningKey(platform: Platform, now: Date): Promise<void> {
  const nextMonth = beginningOfMonth(now, 1);
  if (nextMonth.getTime() - platform.clock.now().getTime() > aheadMs) await makeSigningKey(platform, nextMonth);
}

const beginningOfMonth = (time: Date, monthsLater: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + monthsLater, 1));

/** The night job: a key goes when no click that it signed can count any more. */
export async function dropOldSigningKeys(platform: Platform, now: Date): Promise<void> {
  await dropSigningKeysBefore(platform.database, plusDays(now, -keptDays));
}

async function makeSigningKey(platform: Platform, signsFrom: Date): Promise<void> {
  const madeAt = platform.clock.now();
  const signingKeyId = newId<'skey'>(madeAt);
  const keySealed = platform.secrets.seal(randomBytes(keyBytes), sealedFor(signingKeyId));
  await keepSigningKey(platform.database, { signingKeyId, signsFrom, keySealed, madeAt });
}

/** Whether the secret key is the one that sealed them. Null where there are none yet. */
export async function signingKeysOpen({ nightDatabase, secrets }: Platform): Promise<boolean | null> {
  const rows = await allSigningKeys(nightDatabase);
  try {
    for (const { signingKeyId, keySealed } of rows) secrets.open(keySealed, sealedFor(signingKeyId));
  } catch {
    return false;
  }
  return rows.length === 0 ? null : true;
}

/** The first seals that a start opens: with another secret key it ends here. */
function opened({ secrets }: Platform, signingKeyId: string, keySealed: Buffer): Buffer {
  try {
    return secrets.open(keySealed, sealedFor(signingKeyId));
  } catch (cause) {
    const which = 'this database was sealed with another secret key than SECRET_KEY (or the file secret-key in DATA_DIR)';
    throw new Error(`${which}; put back the one that it was begun with, or set that one as SECRET_KEY_PREVIOUS to change keys`, { cause });
  }
}

const sealedFor = (signingKeyId: string) => `signing key ${signingKeyId}`;

export const sealedSigningKeys: SealedColumn = {
  table: 'signing_keys',
  column: 'key_sealed',
  holds: 'bytes',
  key: [{ name: 'signing_key_id', type: 'uuid' }],
  boundTo: ([signingKeyId = '']) => sealedFor(signingKeyId),
};
