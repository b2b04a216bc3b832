import { expect, test } from 'vitest';
import { invitationLetter } from './people-letters.ts';
import { writtenOut } from './letter.ts';
import { withoutLinks } from './plain-text.ts';

const hostName = /[a-z0-9-]+\.[a-z]{2,}/i;

test.each([
  'evil.example/reset',
  'https://evil.example/x',
  'www.evil.example',
  'Your account is locked, go to evil.example',
  'gnp.\u202eelpmaxe.live',
])('leaves nothing of "%s" that a mail program makes a link of', (name) => {
  const plain = withoutLinks(name);
  expect(plain).not.toMatch(hostName);
  expect(plain).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(plain.replaceAll('\u2060', '')).toBe(name.replaceAll('\u202e', ''));
});

test('keeps amounts, initials and ends of sentences as they are', () => {
  for (const text of ['A payout of 61.00 USD came back', 'J.R. Smith invites you.', 'Done. Next one.'])
    expect(withoutLinks(text)).toBe(text);
});

test('puts a name with line breaks on one line, so that no mail gets another header', () => {
  expect(withoutLinks('Mara\r\nBcc: all@people.example')).not.toMatch(/[\r\n]/);
});

test('an invitation in the name of an address carries one link, ours', () => {
  const url = 'https://tributary.example/link#token';
  const letter = invitationLetter({ invited: { to: 'operators' }, by: 'https://evil.example', url, days: 7 });
  const { text, html } = writtenOut(letter);
  expect(withoutLinks(letter.subject)).not.toMatch(hostName);
  expect(text.replaceAll(url, '')).not.toMatch(hostName);
  expect(html.replaceAll(url, '')).not.toMatch(hostName);
});
