import { newId, publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { dayMs, minuteMs, realNow, secondMs } from '../platform/time.ts';
import type { MailBody } from './letter.ts';
import { mailConnection, type MailSettings } from './mail-connection.ts';
import { openedBody, sealedBody } from './mail.ts';
import { withoutLinkSecrets } from './redact-links.ts';
import { claimWaitingMail, deleteMailsBelow, keepWaitingMails, markFailed, markForRetry, markSent, type ClaimedMail } from './sql.ts';

/** After each failure the pause is four times as long: 1, 4, 16, 64 minutes, then 4 hours. The sixth failure is the last. */
export const attemptsMax = 6;
const firstPauseMs = minuteMs;
const pauseGrowth = 4;

/** For a sender that died: its mail is taken up again after this time, and then sent twice rather than never. */
const leaseMs = 5 * minuteMs;
const mailsPerRunMax = 100;
const keptPerRunMax = 1_000;
const forgottenAtOnceMax = 1_000;
const errorLengthMax = 500;
export const mailDaysKept = 90;

/** A job: sends what waits, or keeps it for the dashboard where there is no server for mail. Answers how many mails it settled. */
export async function sendWaitingMails(platform: Platform): Promise<number> {
  const { smtpUrl, smtpTls, mailFrom } = platform.config;
  if (smtpUrl === null) return keepWaitingMails(platform.database, { now: realNow(), most: keptPerRunMax });
  const post = await createPost({ smtpUrl, smtpTls }, mailFrom);
  try {
    let sent = 0;
    for (let turn = 0; turn < mailsPerRunMax; turn++) {
      const now = realNow();
      const mail = await claimWaitingMail(platform.database, { now, leaseEnds: new Date(now.getTime() + leaseMs) });
      if (mail === null) break;
      if (await sendOne(platform, post, mail)) sent += 1;
    }
    return sent;
  } finally {
    post.close();
  }
}

/** Mails are looked at for a while, not for ever: they hold people's addresses. All that are over go, however many a day brings. */
export async function forgetOldMails(platform: Platform): Promise<void> {
  const oldest = newId<'mail'>(new Date(realNow().getTime() - mailDaysKept * dayMs));
  while ((await deleteMailsBelow(platform.database, { oldest, most: forgottenAtOnceMax })) === forgottenAtOnceMax);
}

type Post = { readonly send: (mail: ClaimedMail, body: MailBody) => Promise<void>; readonly close: () => void };

/**
 * One connection for all mails of a run. A server that does not answer costs seconds, not the library's ten minutes. The library is
 * loaded here: processes that send no mail do without its memory.
 */
async function createPost(settings: MailSettings, from: string): Promise<Post> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...mailConnection(settings),
    pool: true,
    maxConnections: 1,
    connectionTimeout: 10 * secondMs,
    greetingTimeout: 10 * secondMs,
    socketTimeout: 30 * secondMs,
  });
  const host = /@([^>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(mail, { text, html }) {
      // The id stays the same when a mail is sent twice, so that mail programs can tell that it is one.
      const messageId = `<${publicId('mail', mail.mailId)}@${host}>`;
      await transport.sendMail({ messageId, from, to: { name: '', address: mail.toAddress }, subject: mail.subject, text, html });
    },
    close: () => transport.close(),
  };
}

async function sendOne(platform: Platform, post: Post, mail: ClaimedMail): Promise<boolean> {
  const { database, log, secrets } = platform;
  if (mail.attempts > attemptsMax) {
    await markFailed(database, { ...redacted(platform, mail), error: 'its sender ended several times while sending it' });
    return false;
  }
  try {
    await post.send(mail, openedBody(secrets, mail.mailId, mail.bodySealed));
  } catch (error) {
    await keepFailure(platform, mail, error);
    return false;
  }
  await markSent(database, { ...redacted(platform, mail), now: realNow() });
  log.info({ mail: publicId('mail', mail.mailId) }, 'mail: sent');
  return true;
}

/** What stays in the database once a mail is settled: the secret of its link is in the recipient's mailbox, and nowhere else. */
function redacted(
  { secrets }: Platform,
  { mailId, bodySealed }: ClaimedMail,
): { readonly mailId: Id<'mail'>; readonly bodySealed: Buffer } {
  const body = withoutLinkSecrets(openedBody(secrets, mailId, bodySealed));
  return { mailId, bodySealed: sealedBody(secrets, mailId, body) };
}

async function keepFailure(platform: Platform, mail: ClaimedMail, error: unknown) {
  const { database, log } = platform;
  const { mailId, attempts } = mail;
  const words = (error instanceof Error ? error.message : String(error)).slice(0, errorLengthMax);
  const isLast = attempts >= attemptsMax || isFinal(error);
  log.warn({ mail: publicId('mail', mailId), attempts, isLast, code: codeOf(error) }, 'mail: could not be sent');
  if (isLast) return markFailed(database, { ...redacted(platform, mail), error: words });
  const pauseMs = firstPauseMs * pauseGrowth ** (attempts - 1);
  return markForRetry(database, { mailId, tryAt: new Date(realNow().getTime() + pauseMs), error: words });
}

/** A server that answers 5xx about the address or the letter says "never". What it says about our sign-in may be put right. */
function isFinal(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'responseCode' in error ? Number(error.responseCode) : 0;
  return status >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(codeOf(error));
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
