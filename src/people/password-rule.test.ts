import { expect, test } from 'vitest';
import { passwordFault } from './password-rule.ts';

const email = 'ada.lovelace@people.example';

test.each([
  ['aaaaaaaaaaaa', 'has fewer than 5 different letters'],
  ['abababababab', 'has fewer than 5 different letters'],
  ['ada.lovelace', 'is your address'],
  ['Ada.Lovelace@people.example', 'is your address'],
])('"%s" is not good enough: it %s', (password, message) => {
  expect(passwordFault(password, email)).toBe(message);
});

test.each(['correct horse', 'a1b2c3d4e5', 'пароль длинный', 'ada.lovelace wrote notes'])('"%s" is good enough', (password) => {
  expect(passwordFault(password, email)).toBeNull();
});
