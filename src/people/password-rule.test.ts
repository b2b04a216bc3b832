import { expect, test } from 'vitest';
import { commonPasswords } from './common-passwords.ts';
import { passwordFault } from './password-rule.ts';

const facts = { email: 'ada.lovelace@people.example', name: 'Ada Lovelace', common: await commonPasswords() };
const common = 'is one of the passwords that are tried first; choose several words in a row';

test.each([
  ['aaaaaaaaaaaa', 'has fewer than 5 different letters'],
  ['abababababab', 'has fewer than 5 different letters'],
  ['ada.lovelace', 'is your address'],
  ['Ada.Lovelace@people.example', 'is your address'],
  ['ada.lovelace1!', 'is your address'],
  ['people.example', 'is your address'],
  ['Ada Lovelace', 'is your address'],
  ['qwertyuiop', common],
  ['1234567890', common],
  ['Password123', common],
  ['Password2024!', common],
  ['iloveyou!!1', common],
  ['basketball', common],
  ['1q2w3e4r5t', common],
  ['a1b2c3d4e5', common],
])('refuses "%s": it %s', (password, message) => {
  expect(passwordFault(password, facts)).toBe(message);
});

test('refuses the name of the account where the address does not hold it', () => {
  expect(passwordFault('Ada Lovelace', { ...facts, email: 'office@shop.example' })).toBe('is your name');
});

test.each(['correct horse', 'a1b2c3d4e5 or so', 'пароль длинный', 'ada.lovelace wrote notes', 'a long and good password'])(
  'accepts "%s"',
  (password) => {
    expect(passwordFault(password, facts)).toBeNull();
  },
);
