import { expect, test } from 'vitest';
import { checkPassword, hashPassword } from './passwords.ts';

const hashed = async (password: string): Promise<string> => (await hashPassword(password)) ?? 'busy';

test('a password matches its hash, and two hashes of one password differ', async () => {
  const [one, other] = [await hashed('correct horse battery'), await hashed('correct horse battery')];
  expect(one).not.toBe(other);
  expect(await checkPassword('correct horse battery', one)).toBe('right');
  expect(await checkPassword('correct horse battery ', one)).toBe('wrong');
});

test('the hash contains its parameters, at the size that OWASP recommends', async () => {
  expect(await hashed('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('accepts a hash that another library wrote with other parameters', async () => {
  // The reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32
  const storedHash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await checkPassword('password', storedHash)).toBe('right');
  expect(await checkPassword('passwort', storedHash)).toBe('wrong');
});

test('an accented character is the same in every Unicode form', async () => {
  expect(await checkPassword('cafe\u0301 au lait', await hashed('caf\u00e9 au lait'))).toBe('right');
});

test('accepts no password for an account that does not exist', async () => {
  expect(await checkPassword('anything at all', null)).toBe('wrong');
});

test('returns busy for password checks beyond the queue limit', async () => {
  const storedHash = await hashed('correct horse battery');
  const checks = await Promise.all(Array.from({ length: 80 }, () => checkPassword('correct horse battery', storedHash)));
  expect(checks.filter((check) => check === 'busy')).toHaveLength(80 - 66);
  expect(checks.filter((check) => check === 'right')).toHaveLength(66);
  expect(await checkPassword('correct horse battery', storedHash)).toBe('right');
});
