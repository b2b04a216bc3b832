import { argon2Sync, randomBytes } from 'node:crypto';

const cost = { memory: 8, passes: 1, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;

/**
 * A hash with the least cost that Argon2 allows, because a hash contains its parameters: creating a person and signing in then take no
 * time. The service writes its own hashes at full cost, which src/people/password.test.ts checks.
 */
export async function hashWeakly(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  const hash = argon2Sync('argon2id', { ...cost, message: password.normalize('NFKC'), nonce, tagLength: hashBytes });
  const [salt, value] = [nonce, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt}$${value}`;
}
