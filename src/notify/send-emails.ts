import { newId, publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { dayMs, minuteMs, realNow, secondMs } from '../core/time.ts';
import type { EmailBody } from './render-email.ts';
import { smtpOptions, type SmtpSettings } from './smtp.ts';
import { openBody, sealBody, withoutLinkSecrets } from './stored-email.ts';
import {
  claimWaitingEmail,
  deleteEmailsBefore,
  archiveWaitingEmails,
  markFailed,
  markForRetry,
  markSent,
  type ClaimedEmail,
} from './emails-sql.ts';

/** Retries after 1, 4, 16, 64 and 256 minutes. The sixth failure is final. */
export const attemptsMax = 6;
const firstRetryDelayMs = minuteMs;
const retryDelayFactor = 4;

/** When a process crashes while sending, the email is sent again after this time: possibly twice, but never lost. */
const leaseMs = 5 * minuteMs;
const emailsPerRunMax = 100;
const archivedPerRunMax = 1_000;
const deleteBatchSize = 1_000;
const errorLengthMax = 500;
export const emailRetentionDays = 90;

/** Sends the waiting emails, or archives them for the dashboard if no mail server is set. Returns how many it sent or archived. */
export async function sendWaitingEmails(platform: Platform): Promise<number> {
  const { smtpUrl, smtpTls, mailFrom } = platform.config;
  if (smtpUrl === null) return archiveWaitingEmails(platform.database, { now: realNow(), most: archivedPerRunMax });
  const mailer = await createMailer({ smtpUrl, smtpTls }, mailFrom);
  try {
    let sent = 0;
    for (let count = 0; count < emailsPerRunMax; count++) {
      const now = realNow();
      const email = await claimWaitingEmail(platform.database, { now, leaseEnds: new Date(now.getTime() + leaseMs) });
      if (email === null) break;
      if (await sendEmail(platform, mailer, email)) sent += 1;
    }
    return sent;
  } finally {
    mailer.close();
  }
}

/** Emails contain people's addresses, so they are deleted after 90 days: all of them, however many a day had. */
export async function deleteOldEmails(platform: Platform): Promise<void> {
  const oldest = newId<'mail'>(new Date(realNow().getTime() - emailRetentionDays * dayMs));
  while ((await deleteEmailsBefore(platform.database, { oldest, most: deleteBatchSize })) === deleteBatchSize);
}

type Mailer = { readonly send: (email: ClaimedEmail, body: EmailBody) => Promise<void>; readonly close: () => void };

/**
 * Opens one connection for all emails of a run. The timeouts replace the library's default of ten minutes. The library is imported here
 * because processes that send no emails need not spend memory on it.
 */
async function createMailer(settings: SmtpSettings, from: string): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...smtpOptions(settings),
    pool: true,
    maxConnections: 1,
    connectionTimeout: 10 * secondMs,
    greetingTimeout: 10 * secondMs,
    socketTimeout: 30 * secondMs,
  });
  const host = /@([^>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(email, { text, html, unsubscribeUrl }) {
      // An email that is sent twice keeps its ID, so that mail clients can recognize the duplicate.
      const messageId = `<${publicId('mail', email.mailId)}@${host}>`;
      const to = { name: '', address: email.toAddress };
      await transport.sendMail({ messageId, from, to, subject: email.subject, text, html, headers: unsubscribeHeaders(unsubscribeUrl) });
    },
    close: () => transport.close(),
  };
}

/** RFC 8058: the mail client sends a POST to the address. */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

async function sendEmail(platform: Platform, mailer: Mailer, email: ClaimedEmail): Promise<boolean> {
  const { database, log, secrets } = platform;
  if (email.attempts > attemptsMax) {
    await markFailed(database, { ...withRedactedBody(platform, email), error: 'the process crashed several times while sending it' });
    return false;
  }
  try {
    await mailer.send(email, openBody(secrets, email.mailId, email.bodySealed));
  } catch (error) {
    await recordFailure(platform, email, error);
    return false;
  }
  await markSent(database, { ...withRedactedBody(platform, email), now: realNow() });
  log.info({ mail: publicId('mail', email.mailId) }, 'email sent');
  return true;
}

/** Removes the secrets of links once the email is sent or failed: from then on only the recipient's mailbox has them. */
function withRedactedBody(
  { secrets }: Platform,
  { mailId, bodySealed }: ClaimedEmail,
): { readonly mailId: Id<'mail'>; readonly bodySealed: Buffer } {
  const body = withoutLinkSecrets(openBody(secrets, mailId, bodySealed));
  return { mailId, bodySealed: sealBody(secrets, mailId, body) };
}

async function recordFailure(platform: Platform, email: ClaimedEmail, error: unknown) {
  const { database, log } = platform;
  const { mailId, attempts } = email;
  const message = (error instanceof Error ? error.message : String(error)).slice(0, errorLengthMax);
  const isLast = attempts >= attemptsMax || isPermanent(error);
  log.warn({ mail: publicId('mail', mailId), attempts, isLast, code: errorCode(error) }, 'email could not be sent');
  if (isLast) return markFailed(database, { ...withRedactedBody(platform, email), error: message });
  const delayMs = firstRetryDelayMs * retryDelayFactor ** (attempts - 1);
  return markForRetry(database, { mailId, tryAt: new Date(realNow().getTime() + delayMs), error: message });
}

/** A 5xx answer about the address or the message is permanent. One about our sign-in is not: an operator can correct the settings. */
function isPermanent(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'responseCode' in error ? Number(error.responseCode) : 0;
  return status >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(errorCode(error));
}

const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
