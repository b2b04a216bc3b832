import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { link, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { must } from './must.ts';

/** What must be read back (signing keys, second factors, webhook secrets, tax ids) is sealed with SECRET_KEY. */
export type Secrets = {
  /** The purpose and the owner are bound into the seal: a sealed value moved to another row does not open. */
  readonly seal: (plain: Buffer, boundTo: string) => Buffer;
  readonly open: (sealed: Buffer, boundTo: string) => Buffer;
  /** The same under SECRET_KEY; null where it is sealed so already. */
  readonly reseal: (sealed: Buffer, boundTo: string) => Buffer | null;
  /** A keyed hash for what is compared but must not be guessed back (addresses of visitors). */
  readonly keyedHash: (text: string, purpose: string) => Buffer;
  /** By SECRET_KEY, then by SECRET_KEY_PREVIOUS where it is set: what was hashed before a change of key is found by one of them. */
  readonly keyedHashes: (text: string, purpose: string) => readonly Buffer[];
  /** Tells keys apart, and nothing of a key. */
  readonly keyId: Buffer;
  /** Whether SECRET_KEY_PREVIOUS is set: the key is being changed. */
  readonly isChanging: boolean;
};

const nonceBytes = 12;
const tagBytes = 16;
export const keyIdBytes = 4;
/**
 * A seal begins with its version. 1 does not say which key made it, and is all that earlier releases read; 2 names the key. 2 is
 * written only while a previous key is set, so that a release before this one can run beside this one until then.
 */
export const sealVersions = { unnamed: 1, named: 2 } as const;

type Key = { readonly id: Buffer; readonly sealing: KeyObject; readonly hashing: KeyObject };

export function createSecrets(secretKey: Buffer, previousKey: Buffer | null = null): Secrets {
  const current = keyFrom(secretKey);
  const keys = previousKey === null ? [current] : [current, keyFrom(previousKey)];
  const isChanging = previousKey !== null;
  const head = isChanging ? Buffer.concat([Buffer.of(sealVersions.named), current.id]) : Buffer.of(sealVersions.unnamed);
  const seal: Secrets['seal'] = (plain, boundTo) => Buffer.concat([head, encrypted(current, plain, boundTo)]);
  const open: Secrets['open'] = (sealed, boundTo) => {
    if (sealed[0] === sealVersions.named) {
      const key = keys.find(({ id }) => id.equals(sealed.subarray(1, 1 + keyIdBytes)));
      must(key !== undefined, 'a sealed value is opened with the key that sealed it: SECRET_KEY or SECRET_KEY_PREVIOUS');
      return decrypted(key, sealed.subarray(1 + keyIdBytes), boundTo);
    }
    must(sealed[0] === sealVersions.unnamed, 'a sealed value begins with its version');
    return openedByAny(keys, sealed.subarray(1), boundTo);
  };
  return {
    seal,
    open,
    reseal: (sealed, boundTo) => (sealed.subarray(0, head.length).equals(head) && isChanging ? null : seal(open(sealed, boundTo), boundTo)),
    keyedHash: (text, purpose) => hashed(current, text, purpose),
    keyedHashes: (text, purpose) => keys.map((key) => hashed(key, text, purpose)),
    keyId: current.id,
    isChanging,
  };
}

const keyFrom = (secretKey: Buffer): Key => {
  const hashing = derived(secretKey, 'hash');
  const id = createHmac('sha256', hashing).update('key id\n').digest().subarray(0, keyIdBytes);
  return { id, sealing: derived(secretKey, 'seal'), hashing };
};

const hashed = ({ hashing }: Key, text: string, purpose: string): Buffer =>
  createHmac('sha256', hashing).update(`${purpose}\n${text}`).digest();

function encrypted({ sealing }: Key, plain: Buffer, boundTo: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypted({ sealing }: Key, sealed: Buffer, boundTo: string): Buffer {
  must(sealed.length >= nonceBytes + tagBytes, 'a sealed value is whole');
  const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

/** Which key made it is not said: the one that opens it did. The fault of the last one is told where none does. */
function openedByAny(keys: readonly Key[], sealed: Buffer, boundTo: string): Buffer {
  let fault: unknown = null;
  for (const key of keys) {
    try {
      return decrypted(key, sealed, boundTo);
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

function derived(secretKey: Buffer, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `tributary ${purpose}`, 32)));
}

/** The one that is set, or else that of the folder with the data. */
export const keyOf = async ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> =>
  secretKey ?? (await secretKeyOf(dataDir));

/**
 * The key of a folder: made once, kept beside the data. It is written whole and then linked to its name, which fails
 * where another process was first: two first starts at once end with one key.
 */
export async function secretKeyOf(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const kept = readKey(path);
  if (kept) return kept;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'w', flush: true });
  await link(draft, path).catch((error: NodeJS.ErrnoException) =>
    must(error.code === 'EEXIST', `the secret key can be kept: ${error.message}`),
  );
  await unlink(draft);
  const made = readKey(path);
  must(made !== null, 'the secret key was just made');
  return made;
}

function readKey(path: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
    if (key.length === 32) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw new Error(`${path} does not hold a key of 32 bytes; put back the one that sealed this data`);
}
