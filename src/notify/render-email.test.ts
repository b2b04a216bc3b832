import { expect, test } from 'vitest';
import { formatMessage } from '../messages/format-message.ts';
import { invitationEmail } from './account-emails.ts';
import { renderEmail, withoutHostNames } from './render-email.ts';

const url = 'https://tributary.example/link#a&b';

test('a name that looks like HTML is escaped', () => {
  const by = `<img src=x onerror="alert('1')">&`;
  const { html, text } = renderEmail(invitationEmail({ invited: { to: 'store', role: 'viewer' }, by, url, days: 7 }), 'en');
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp; invites you');
  expect(text).toContain(by);
});

test('the HTML names the language of the recipient', () => {
  const email = invitationEmail({ invited: { to: 'operators' }, by: 'Olive', url, days: 7 });
  expect(renderEmail(email, 'de').html).toContain('<html lang="de">');
  expect(renderEmail(email, 'de').subject).toBe('Sie wurden zu Tributary eingeladen');
});

test('the text and the HTML contain the same paragraphs and the full URL', () => {
  const email = invitationEmail({ invited: { to: 'operators' }, by: 'Olive', url, days: 7 });
  const { html, text } = renderEmail(email, 'en');
  for (const message of [...email.paragraphs, ...email.footnotes]) {
    const paragraph = formatMessage('en', message);
    expect(text).toContain(paragraph);
    expect(html).toContain(paragraph);
  }
  expect(text).toContain(`Accept the invitation:\n${url}\n`);
  expect(html).toContain('href="https://tributary.example/link#a&amp;b"');
});

const hostName = /[a-z0-9-]+\.[a-z]{2,}/i;

test.each([
  'evil.example/reset',
  'https://evil.example/x',
  'www.evil.example',
  'Your account is locked, go to evil.example',
  'gnp.\u202eelpmaxe.live',
])('leaves nothing of "%s" that a mail client would turn into a link', (name) => {
  const plain = withoutHostNames(name);
  expect(plain).not.toMatch(hostName);
  expect(plain).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(plain.replaceAll('\u2060', '')).toBe(name.replaceAll('\u202e', ''));
});

test('keeps amounts, initials and ends of sentences unchanged', () => {
  for (const text of ['A payout of 61.00 USD came back', 'J.R. Smith invites you.', 'Done. Next one.'])
    expect(withoutHostNames(text)).toBe(text);
});

test('replaces line breaks in a name, so that it cannot add a header', () => {
  expect(withoutHostNames('Mara\r\nBcc: all@people.example')).not.toMatch(/[\r\n]/);
});

test('an invitation from a person named like a URL contains only our link', () => {
  const linkUrl = 'https://tributary.example/link#token';
  const email = invitationEmail({ invited: { to: 'operators' }, by: 'https://evil.example', url: linkUrl, days: 7 });
  const { subject, text, html } = renderEmail(email, 'en');
  expect(subject).not.toMatch(hostName);
  expect(text.replaceAll(linkUrl, '')).not.toMatch(hostName);
  expect(html.replaceAll(linkUrl, '')).not.toMatch(hostName);
});
