import { expect, test } from 'vitest';
import { smtpOptions, maySendUnencrypted } from './smtp.ts';

test.each([
  ['smtp://mail.example', 'required', true],
  ['smtp://user:password@mail.example:587', 'required', true],
  // Reaches this machine too, but is not a loopback address.
  ['smtp://0.0.0.0:25', 'required', true],
  ['smtp://127.0.0.1.mail.example', 'required', true],
  ['smtp://localhost.mail.example', 'required', true],
  ['smtp://mail.example', 'optional', false],
  ['smtp://127.0.0.1:25', 'required', false],
  ['smtp://127.8.9.10:25', 'required', false],
  ['smtp://[::1]:25', 'required', false],
  ['smtp://localhost:25', 'required', false],
  // smtps:// is encrypted from the first byte.
  ['smtps://mail.example', 'required', false],
] as const)('a connection to %s with SMTP_TLS "%s" requires STARTTLS: %s', (smtpUrl, smtpTls, requireTLS) => {
  expect(smtpOptions({ smtpUrl, smtpTls })).toMatchObject({ requireTLS });
});

test.each([
  ['smtp://mail.example', 'optional', true],
  ['smtp://mail.example', 'required', false],
  ['smtps://mail.example', 'optional', false],
  ['smtp://127.0.0.1', 'optional', false],
] as const)('emails to %s with SMTP_TLS "%s" may be sent unencrypted: %s', (smtpUrl, smtpTls, mayBeUnencrypted) => {
  expect(maySendUnencrypted({ smtpUrl, smtpTls })).toBe(mayBeUnencrypted);
});
