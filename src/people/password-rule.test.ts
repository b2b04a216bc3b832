import { expect, test } from 'vitest';
import { findPasswordViolation, loadCommonPasswords } from './passwords.ts';

const facts = { email: 'ada.lovelace@people.example', name: 'Ada Lovelace', common: await loadCommonPasswords() };
const common = 'is a common password; choose several words in a row';

test.each([
  ['aaaaaaaaaaaa', 'has fewer than 5 different characters'],
  ['abababababab', 'has fewer than 5 different characters'],
  ['ada.lovelace', 'is your email address'],
  ['Ada.Lovelace@people.example', 'is your email address'],
  ['ada.lovelace1!', 'is your email address'],
  ['people.example', 'is your email address'],
  ['Ada Lovelace', 'is your email address'],
  ['qwertyuiop', common],
  ['1234567890', common],
  ['Password123', common],
  ['Password2024!', common],
  ['iloveyou!!1', common],
  ['basketball', common],
  ['1q2w3e4r5t', common],
  ['a1b2c3d4e5', common],
])('refuses "%s": it %s', (password, message) => {
  expect(findPasswordViolation(password, facts)).toBe(message);
});

test.each(['tributary1', 'Tributary2026!', 'Affiliate#24', 'postback-12', 'commissions', 'Partner Network 1'])(
  'refuses "%s", which contains a word of this service',
  (password) => {
    expect(findPasswordViolation(password, facts)).toBe('is close to the name of this service; choose several words in a row');
  },
);

test('refuses the account name if the address does not contain it', () => {
  expect(findPasswordViolation('Ada Lovelace', { ...facts, email: 'office@shop.example' })).toBe('is your name');
});

test.each(['correct horse', 'a1b2c3d4e5 or so', 'пароль длинный', 'ada.lovelace wrote notes', 'a long and good password'])(
  'accepts "%s"',
  (password) => {
    expect(findPasswordViolation(password, facts)).toBeNull();
  },
);
