import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type as T } from 'typebox';
import { jsonText, parseExactly } from '../platform/http/json.ts';
import { validate } from '../platform/http/validate.ts';
import { newId, publicId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { Secrets } from '../platform/secrets.ts';
import { dayMs, hourMs, minuteMs, realNow, secondMs } from '../platform/time.ts';
import type { PlannedNews } from './decide-sandbox.ts';
import { cents } from '../platform/money.ts';
import type { ChargeWarningNews, MoneyOutcome, ProviderNews, ReadNews, ReadProviderNews } from './provider.ts';
import { outcomeOf } from './sandbox-outcome.ts';
import {
  forgetKeys,
  forgetSentEvents,
  giveBackEvent,
  hasSandboxWork,
  markSent,
  postponeEvent,
  takeDueEvents,
  type DueEvent,
  type Movement,
  type NewEvent,
} from './sandbox-sql.ts';
import { keysForgottenAfterMs } from './sandbox-words.ts';

export const sandboxNewsPath = '/api/v1/providers/sandbox/news';
/** The time of signing and the signature, as `t=1700000000,v1=…`. */
export const sandboxSignatureHeader = 'sandbox-signature';

/** News that is older was overheard and is played back, or one of the two clocks is wrong. */
const signatureAgeMsMax = 5 * minuteMs;
const sendTimeOutMs = 5 * secondMs;
const attemptsMax = 20;
const eventsAtOnceMax = 100;
const roundsMax = 100;
const firstPauseMs = minuteMs;
const longestPauseMs = 6 * hourMs;
const sentKeptMs = 30 * dayMs;

const money = { providerId: T.String({ minLength: 1, maxLength: 100 }) };
const timePattern = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;
const outcomeJson = T.Union([
  T.Object({ is: T.Literal('succeeded'), ...money }),
  T.Object({ is: T.Literal('pending'), ...money }),
  T.Object({ is: T.Literal('declined'), ...money, code: T.String(), message: T.String() }),
]);
const common = { newsId: T.String({ minLength: 1, maxLength: 100 }), reference: T.String({ minLength: 1, maxLength: 200 }) };
const newsJson = T.Union([
  T.Object({ ...common, about: T.Union([T.Literal('charge'), T.Literal('payout')]), outcome: outcomeJson }),
  T.Object({
    ...common,
    about: T.Union([T.Literal('dispute_lost'), T.Literal('payout_returned')]),
    at: T.String({ pattern: timePattern }),
    why: T.String(),
  }),
  T.Object({
    ...common,
    about: T.Union([T.Literal('dispute_opened'), T.Literal('dispute_won'), T.Literal('fraud_warning'), T.Literal('charge_refunded')]),
    at: T.String({ pattern: timePattern }),
    why: T.String(),
    // Above 2^53 it is read as a bigint.
    amount: T.Union([T.Integer({ minimum: 0 }), T.BigInt({ minimum: 0n }), T.Null()]),
  }),
]);

/** What a movement will be told by, as rows that wait for their time. */
export function eventsOf(movement: Movement, planned: readonly PlannedNews[], now: Date): readonly NewEvent[] {
  return planned.flatMap(({ tells, afterMs, copies }) => {
    const newsId = publicId('sevt', newId<'sevt'>(now));
    const dueAt = new Date(now.getTime() + afterMs);
    const { reference, kind, providerId } = movement;
    const body = jsonText({ newsId, reference, ...toldBy() });
    function toldBy(): object {
      const at = dueAt.toISOString();
      if (tells === 'money_back') return { ...moneyBack[kind], at };
      if (tells === 'entry') return { about: kind, outcome: outcomeOf(movement) };
      if (tells === 'pending') return { about: kind, outcome: { is: 'pending', providerId } satisfies MoneyOutcome };
      return { about: tells, at, why: warningWords[tells], amount: movement.amountCents };
    }
    return Array.from({ length: copies }, (_none, copy) => ({ newsId, copy, body, dueAt }));
  });
}

const moneyBack = {
  charge: { about: 'dispute_lost', why: 'The holder of the card disputed the charge, and the bank took their side.' },
  payout: { about: 'payout_returned', why: 'The bank of the recipient sent the money back.' },
} as const;

const warningWords: Readonly<Record<ChargeWarningNews, string>> = {
  dispute_opened: 'The cardholder disputed the charge.',
  dispute_won: 'The dispute was won.',
  fraud_warning: 'The card network warned that the charge is fraudulent.',
  charge_refunded: 'The charge was refunded at the provider.',
};

/**
 * Sends what is due, and forgets what is old. Safe to run twice and side by side: news may come several times anyway. What is
 * not taken with a 2xx is sent again, later and later.
 */
export async function sendSandboxNews(platform: Platform, now: Date): Promise<void> {
  if (platform.config.mode !== 'sandbox') return;
  const { database } = platform;
  const keysUntil = new Date(now.getTime() - keysForgottenAfterMs);
  const sentUntil = new Date(now.getTime() - sentKeptMs);
  if (!(await hasSandboxWork(database, { now, attemptsMax, keysUntil, sentUntil }))) return;
  const taking = { now, againAt: new Date(now.getTime() + firstPauseMs), attemptsMax, limit: eventsAtOnceMax };
  for (let round = 0; round < roundsMax; round++) {
    const due = await takeDueEvents(database, taking);
    const isDone = await sendInOrder(platform, due, now);
    if (isDone || due.length < eventsAtOnceMax) break;
  }
  await forgetKeys(database, keysUntil);
  await forgetSentEvents(database, sentUntil);
}

/** True: nobody answers at all, and waiting for each time-out would help nobody. The rest is given back for the next minute. */
async function sendInOrder(platform: Platform, due: readonly DueEvent[], now: Date): Promise<boolean> {
  const { database } = platform;
  for (const [place, event] of due.entries()) {
    const status = await deliverNews(platform, event);
    if (!isTaken(status)) await postponeEvent(database, event, new Date(now.getTime() + pauseMs(event)));
    if (status !== nobodyAnswered) continue;
    for (const unsent of due.slice(place + 1)) await giveBackEvent(database, unsent);
    return true;
  }
  return false;
}

const isTaken = (status: number): boolean => status >= 200 && status < 300;
const nobodyAnswered = 0;
const pauseMs = ({ attempts }: DueEvent): number => Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);

/** One POST, signed now: the status it was answered with. */
export async function deliverNews(platform: Platform, event: Pick<DueEvent, 'newsId' | 'copy' | 'body'>): Promise<number> {
  const { database, secrets, own, clock, log } = platform;
  const headers = { 'content-type': 'application/json', [sandboxSignatureHeader]: signSandboxNews(secrets, event.body, realNow()) };
  const status = await fetch(`${own.url}${sandboxNewsPath}`, {
    method: 'POST',
    headers,
    body: event.body,
    redirect: 'error',
    signal: AbortSignal.timeout(sendTimeOutMs),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => nobodyAnswered,
  );
  if (isTaken(status)) await markSent(database, event, clock.now());
  else log.warn({ news: event.newsId, status }, 'sandbox: news was not taken, and is sent again');
  return status;
}

export function signSandboxNews(secrets: Secrets, body: Buffer | string, at: Date): string {
  const seconds = Math.floor(at.getTime() / secondMs);
  return `t=${seconds},v1=${signatureOf(secrets.keyedHash(...signedWith), seconds.toString(), body).toString('hex')}`;
}

const signedWith = ['news', 'the sandbox provider'] as const;

function signatureOf(key: Buffer, seconds: string, body: Buffer | string): Buffer {
  return createHmac('sha256', key).update(`${seconds}.`).update(body).digest();
}

/** The signature is looked at before the first byte is understood. */
export const readSandboxNews =
  (secrets: Secrets): ReadProviderNews =>
  async (body, headers, now) => {
    const why = whyForged(secrets, body, headers[sandboxSignatureHeader], now);
    return why === null ? understood(body) : { is: 'forged', why };
  };

function whyForged(secrets: Secrets, body: Buffer, header: string | undefined, now: Date): string | null {
  const [, seconds = '', hex = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (seconds === '') return `the header ${sandboxSignatureHeader} is missing or unreadable`;
  const given = Buffer.from(hex, 'hex');
  // Another process may still sign with the previous key while SECRET_KEY is being changed.
  const isOurs = secrets.keyedHashes(...signedWith).some((key) => timingSafeEqual(signatureOf(key, seconds, body), given));
  if (!isOurs) return 'the signature is not ours';
  if (Math.abs(now.getTime() - Number(seconds) * secondMs) > signatureAgeMsMax) return 'it was signed too long ago';
  return null;
}

/** Signed by us, so written by us: yet another version of us may have been the writer. */
function understood(body: Buffer): ReadNews {
  const read = validate(newsJson, parsed(body));
  if (read.is === 'wrong') return { is: 'malformed', why: 'it is signed, but no event of the sandbox' };
  return { is: 'read', news: newsOf(read.value) };
}

function newsOf(news: T.Static<typeof newsJson>): ProviderNews {
  const { newsId, reference } = news;
  if ('outcome' in news) return { about: news.about, newsId, reference, outcome: news.outcome };
  const reported = { newsId, reference, at: new Date(news.at), why: news.why };
  if ('amount' in news) return { about: news.about, ...reported, amount: news.amount === null ? null : cents(BigInt(news.amount)) };
  return { about: news.about, ...reported };
}

function parsed(body: Buffer): unknown {
  try {
    return parseExactly(body.toString('utf8'));
  } catch {
    return null;
  }
}
