import { expect, test } from 'vitest';
import { mailConnection, mayBeReadOnTheWay } from './mail-connection.ts';

test.each([
  ['smtp://mail.example', 'required', true],
  ['smtp://user:password@mail.example:587', 'required', true],
  // Reaches this machine too, but does not say so.
  ['smtp://0.0.0.0:25', 'required', true],
  ['smtp://127.0.0.1.mail.example', 'required', true],
  ['smtp://localhost.mail.example', 'required', true],
  ['smtp://mail.example', 'optional', false],
  ['smtp://127.0.0.1:25', 'required', false],
  ['smtp://127.8.9.10:25', 'required', false],
  ['smtp://[::1]:25', 'required', false],
  ['smtp://localhost:25', 'required', false],
  // Encrypted from its first byte.
  ['smtps://mail.example', 'required', false],
] as const)('mails to %s with SMTP_TLS "%s" wait for STARTTLS: %s', (smtpUrl, smtpTls, requireTLS) => {
  expect(mailConnection({ smtpUrl, smtpTls })).toMatchObject({ requireTLS });
});

test.each([
  ['smtp://mail.example', 'optional', true],
  ['smtp://mail.example', 'required', false],
  ['smtps://mail.example', 'optional', false],
  ['smtp://127.0.0.1', 'optional', false],
] as const)('mails to %s with SMTP_TLS "%s" may be read on their way: %s', (smtpUrl, smtpTls, may) => {
  expect(mayBeReadOnTheWay({ smtpUrl, smtpTls })).toBe(may);
});
