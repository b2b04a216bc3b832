import type { Secrets } from '../platform/secrets.ts';
import { realNow } from '../platform/time.ts';

/**
 * An address as it is kept beside a session and in the audit log: a keyed hash, with the day in the key. Two entries of one
 * day can be told to be from one place; the same address looks different tomorrow, and nobody can be followed by it.
 */
export const addressHashOf = (secrets: Secrets, address: string): Buffer =>
  secrets.keyedHash(address, `address ${realNow().toISOString().slice(0, 10)}`);
