import type { MailBody } from './letter.ts';

/**
 * The secret of a one-time link: the 43 characters behind the `#`. Every link that a mail holds is made by makeLink, so this form
 * is the only secret that a mail can hold (test/people/mail-secrets.test.ts tries every mail that has one).
 */
const linkSecret = /(\/link(?:\?[^#\s"<]*)?)#[A-Za-z0-9_-]{43}/g;

export const removedMark = '#(removed)';

export const withoutLinkSecrets = ({ text, html }: MailBody): MailBody => ({
  text: text.replace(linkSecret, `$1${removedMark}`),
  html: html.replace(linkSecret, `$1${removedMark}`),
});

/** The secrets of a mail's links, each once. */
export const linkSecretsIn = ({ text }: MailBody): readonly string[] => [
  ...new Set([...text.matchAll(linkSecret)].map(([found]) => found.slice(found.indexOf('#') + 1))),
];
