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
  /** A keyed hash for what is compared but must not be guessed back (addresses of visitors). */
  readonly keyedHash: (text: string, purpose: string) => Buffer;
};

const nonceBytes = 12;
const tagBytes = 16;
const version = 1;

export function createSecrets(secretKey: Buffer): Secrets {
  const sealing = derived(secretKey, 'seal');
  const hashing = derived(secretKey, 'hash');
  return {
    seal(plain, boundTo) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(boundTo));
      return Buffer.concat([Buffer.of(version), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, boundTo) {
      must(sealed[0] === version && sealed.length > nonceBytes + tagBytes, 'a sealed value begins with its version');
      const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes)), decipher.final()]);
    },
    keyedHash: (text, purpose) => createHmac('sha256', hashing).update(`${purpose}\n${text}`).digest(),
  };
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
