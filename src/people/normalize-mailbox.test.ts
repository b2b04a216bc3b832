import { expect, test } from 'vitest';
import { normalizeMailbox } from './normalize-mailbox.ts';

test.each([
  ['Ann@Example.com', 'ann@example.com'],
  ['ann+shop@example.com', 'ann@example.com'],
  ['a.n.n@example.com', 'a.n.n@example.com'],
  ['a.n.n+shop@GMail.com', 'ann@gmail.com'],
  ['ann@googlemail.com', 'ann@gmail.com'],
  ['+tag@example.com', '@example.com'],
  ['no address', 'no address'],
])('%s is compared as %s', (email, compared) => {
  expect(normalizeMailbox(email)).toBe(compared);
});
