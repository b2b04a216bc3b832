import { expect, test } from 'vitest';
import { newToken, readToken } from './tokens.ts';

test('a token is parsed to its hash, and malformed tokens are not looked up', () => {
  const { token, hash } = newToken('trb_');
  expect(readToken(token, 'trb_')).toEqual(hash);
  expect(hash.toString('latin1')).not.toContain(token);
  for (const text of [
    '',
    'trb_',
    token.slice(4),
    `${token}a`,
    token.slice(0, -1),
    token.replace('trb_', 'tra_'),
    `${token.slice(0, -1)}=`,
  ]) {
    expect(readToken(text, 'trb_')).toBeNull();
  }
});

test('two tokens differ', () => {
  expect(newToken().token).not.toBe(newToken().token);
});
