import { createSecretKey, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SigningKey } from '../contract/click-id.ts';
import { newId } from '../core/ids.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Platform } from '../runtime/platform.ts';
import { dayMs, plusDays, secondMs } from '../core/time.ts';
import { clickRetentionDays } from './partitions.ts';
import { allSigningKeys, dropSigningKeysBefore, insertSigningKey } from './signing-keys-sql.ts';
import { errorForLog } from '../db/sql-errors.ts';

/**
 * The keys that sign click IDs. The time in a click ID determines its key, so verification reads memory only. Every process knows a key
 * before it signs, because it is created more than a day ahead and processes read the keys every 30 seconds.
 */
export type KeyRing = {
  /** For verification. */
  readonly keys: () => readonly SigningKey[];
  /**
   * For minting, if the key of this moment is among those that were read. Otherwise null, because processes that know the newer key would
   * reject a signature by an older one.
   */
  readonly completeKeys: (at: Date) => readonly SigningKey[] | null;
  /** The same, but if it would be null, it waits for a moment while the keys are read again. Null if the key may still be missing. */
  readonly keysAt: (at: Date) => Promise<readonly SigningKey[] | null>;
  /** Reads the keys again, before a signature is rejected as forged. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
};

const refreshMs = 30 * secondMs;
/** A key is created this long before the month in which it signs, so a process that read the keys since then has the key of that month. */
const aheadMs = dayMs;
/**
 * How long a visit waits for keys. In live mode, keys are outdated only after the database was unavailable for a day. In the sandbox,
 * moving the clock makes them outdated immediately, so a visit waits for two reads even on a busy machine.
 */
const keyWaitMs = { live: 40, sandbox: secondMs } as const;
/** The first read may have begun before the clock was moved. */
const readingsMax = 2;
const keyBytes = 32;
/** The first key of an installation covers all earlier times. */
const beginning = new Date(0);

export async function openKeyRing(platform: Platform): Promise<KeyRing> {
  let keys: readonly SigningKey[] = [];
  /** Until then, the keys that were read are all that sign. */
  let completeUntilMs = 0;
  let reading: Promise<void> | null = null;
  const read = async () => {
    const readFrom = platform.clock.now();
    const rows = await platform.tenants.readAnywhere(allSigningKeys);
    completeUntilMs = beginningOfMonth(new Date(readFrom.getTime() + aheadMs), 1).getTime();
    keys = rows.map(({ signingKeyId, signsFrom, keySealed }) => ({
      signsFrom,
      key: createSecretKey(opened(platform, signingKeyId, keySealed)),
    }));
  };
  const refresh = (): Promise<void> => (reading ??= read().finally(() => (reading = null)));
  await refresh();
  if (keys.length === 0) {
    await createSigningKey(platform, beginning);
    await refresh();
  }
  const hasAllKeysAt = (at: Date): boolean => at.getTime() < completeUntilMs;
  const completeKeys = (at: Date): readonly SigningKey[] | null => (hasAllKeysAt(at) ? keys : null);
  const readFor = async (at: Date): Promise<void> => {
    for (let round = 0; round < readingsMax && !hasAllKeysAt(at); round++) await refresh().catch(() => {});
  };
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => platform.log.warn({ error: errorForLog(error) }, 'signing keys could not be refreshed'));
  }, refreshMs);
  timer.unref();
  return {
    keys: () => keys,
    completeKeys,
    async keysAt(at) {
      if (!hasAllKeysAt(at)) await Promise.race([readFor(at), pause(keyWaitMs[platform.config.mode])]);
      return completeKeys(at);
    },
    refresh,
    close: () => clearInterval(timer),
  };
}

/**
 * A daily job. It creates the key of the next month, once. It also reads the clock, because a delayed job runs for days in the past, and a
 * key that starts in the past would invalidate clicks that were signed since.
 */
export async function createNextSigningKey(platform: Platform, now: Date): Promise<void> {
  const nextMonth = beginningOfMonth(now, 1);
  if (nextMonth.getTime() - platform.clock.now().getTime() > aheadMs) await createSigningKey(platform, nextMonth);
}

/** A month needs the next one's key from its beginning on: the newest key's month is the next to need one. */
export async function earliestMissingKey({ database }: Platform): Promise<Date | null> {
  return (await allSigningKeys(database)).at(-1)?.signsFrom ?? null;
}

const beginningOfMonth = (time: Date, monthsLater: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + monthsLater, 1));

/** A daily job. It deletes a key when no click that it signed can count any longer. */
export async function dropOldSigningKeys(platform: Platform, now: Date): Promise<void> {
  await dropSigningKeysBefore(platform.database, plusDays(now, -clickRetentionDays));
}

async function createSigningKey(platform: Platform, signsFrom: Date): Promise<void> {
  const madeAt = platform.clock.now();
  const signingKeyId = newId<'skey'>(madeAt);
  const keySealed = platform.secrets.seal(randomBytes(keyBytes), sealedFor(signingKeyId));
  await insertSigningKey(platform.database, { signingKeyId, signsFrom, keySealed, madeAt });
}

/** Whether SECRET_KEY can open the signing keys. Null if there are none yet. */
export async function canOpenSigningKeys({ jobsDatabase, secrets }: Platform): Promise<boolean | null> {
  const rows = await allSigningKeys(jobsDatabase);
  try {
    for (const { signingKeyId, keySealed } of rows) secrets.open(keySealed, sealedFor(signingKeyId));
  } catch {
    return false;
  }
  return rows.length === 0 ? null : true;
}

/** The first sealed values that a start opens, so a wrong SECRET_KEY is detected here. */
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
