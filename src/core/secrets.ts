import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { link, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { invariant } from './invariant.ts';

/** Encrypts with SECRET_KEY what must be read back: signing keys, second factors, webhook secrets, tax IDs. */
export type Secrets = {
  /** `boundTo` (the purpose and the owner) is authenticated data: a value that is moved to another row does not decrypt. */
  readonly seal: (plain: Buffer, boundTo: string) => Buffer;
  readonly open: (sealed: Buffer, boundTo: string) => Buffer;
  /** Encrypts a value again with SECRET_KEY; null if it already is. */
  readonly reseal: (sealed: Buffer, boundTo: string) => Buffer | null;
  /** A keyed hash for values that are compared but must not be recoverable (addresses of visitors). */
  readonly keyedHash: (text: string, purpose: string) => Buffer;
  /** The hash with SECRET_KEY, then with SECRET_KEY_PREVIOUS if it is set, so that values hashed before a key rotation are found. */
  readonly keyedHashes: (text: string, purpose: string) => readonly Buffer[];
  /** Identifies a key and reveals nothing about it. */
  readonly keyId: Buffer;
  /** Whether SECRET_KEY_PREVIOUS is set, that is, a key rotation is in progress. */
  readonly isChanging: boolean;
};

const nonceBytes = 12;
const tagBytes = 16;
export const keyIdBytes = 4;
/**
 * The first byte of a sealed value is its version. Version 1 does not name its key and is all that earlier releases read; version 2
 * names the key. Version 2 is written only while a previous key is set, so that an earlier release can run beside this one until
 * then.
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
      invariant(key !== undefined, 'a sealed value is opened with the key that sealed it: SECRET_KEY or SECRET_KEY_PREVIOUS');
      return decrypted(key, sealed.subarray(1 + keyIdBytes), boundTo);
    }
    invariant(sealed[0] === sealVersions.unnamed, 'a sealed value begins with its version');
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
  invariant(sealed.length >= nonceBytes + tagBytes, 'a sealed value has a nonce and a tag');
  const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

/** Version 1 does not name its key, so every key is tried. If none fits, the last error is thrown. */
function openedByAny(keys: readonly Key[], sealed: Buffer, boundTo: string): Buffer {
  let lastError: unknown = null;
  for (const key of keys) {
    try {
      return decrypted(key, sealed, boundTo);
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

function derived(secretKey: Buffer, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `tributary ${purpose}`, 32)));
}

/** SECRET_KEY if it is set, otherwise the key of the data folder. */
export const loadSecretKey = async ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> =>
  secretKey ?? (await loadOrCreateSecretKey(dataDir));

/**
 * The key of a data folder, created once. It is written to a temporary file and then linked to its name, which fails if another
 * process was first, so two concurrent first starts use the same key.
 */
export async function loadOrCreateSecretKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const existing = readKey(path);
  if (existing) return existing;
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'w', flush: true });
  await link(temporary, path).catch((error: NodeJS.ErrnoException) =>
    invariant(error.code === 'EEXIST', `the secret key can be saved: ${error.message}`),
  );
  await unlink(temporary);
  const created = readKey(path);
  invariant(created !== null, 'the secret key was just created');
  return created;
}

function readKey(path: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
    if (key.length === 32) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw new Error(`${path} does not contain a key of 32 bytes; restore the key that this data was encrypted with`);
}
