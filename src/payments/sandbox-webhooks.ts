import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { jsonText, parseExactly } from '../core/json.ts';
import { validate } from '../http/validate.ts';
import { newId, publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Secrets } from '../core/secrets.ts';
import { dayMs, hourMs, minuteMs, realNow, secondMs } from '../core/time.ts';
import type { PlannedEvent } from './decide-sandbox.ts';
import { cents } from '../core/money.ts';
import type { ChargeWarningEvent, MoneyOutcome, ProviderEvent, ReadEvent, ReadProviderEvent } from './provider.ts';
import { keysForgottenAfterMs } from './sandbox-methods.ts';
import { outcomeOf } from './sandbox-outcome.ts';
import {
  type DueEvent,
  earliestEvent,
  deleteOldKeys,
  deleteSentEvents,
  releaseEvent,
  hasSandboxWork,
  markSent,
  type Movement,
  type NewEvent,
  postponeEvent,
  takeDueEvents,
} from './sandbox-sql.ts';

export const sandboxWebhookPath = '/api/v1/providers/sandbox/news';
/** Contains the time of signing and the signature: `t=1700000000,v1=…`. */
export const sandboxSignatureHeader = 'sandbox-signature';

/** Rejects replayed requests; an older signature can also mean that one of the two clocks is wrong. */
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
// Stored events of an earlier version have this field, so its name stays.
const common = { newsId: T.String({ minLength: 1, maxLength: 100 }), reference: T.String({ minLength: 1, maxLength: 200 }) };
const eventJson = T.Union([
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
    // The JSON parser returns integers above 2^53 as bigint.
    amount: T.Union([T.Integer({ minimum: 0 }), T.BigInt({ minimum: 0n }), T.Null()]),
  }),
]);

/** Returns the event rows for a movement, to be sent when they are due. */
export function eventsOf(movement: Movement, planned: readonly PlannedEvent[], now: Date): readonly NewEvent[] {
  return planned.flatMap(({ kind: reports, afterMs, copies }) => {
    const eventId = publicId('sevt', newId<'sevt'>(now));
    const dueAt = new Date(now.getTime() + afterMs);
    const { reference, kind, providerId } = movement;
    const body = jsonText({ newsId: eventId, reference, ...contentOf() });
    function contentOf(): object {
      const at = dueAt.toISOString();
      if (reports === 'money_back') return { ...moneyBack[kind], at };
      if (reports === 'entry') return { about: kind, outcome: outcomeOf(movement) };
      if (reports === 'pending') return { about: kind, outcome: { is: 'pending', providerId } satisfies MoneyOutcome };
      return { about: reports, at, why: warningMessages[reports], amount: movement.amountCents };
    }
    return Array.from({ length: copies }, (_none, copy) => ({ eventId, copy, body, dueAt }));
  });
}

const moneyBack = {
  charge: { about: 'dispute_lost', why: 'The cardholder disputed the charge, and the bank decided in their favor.' },
  payout: { about: 'payout_returned', why: 'The bank of the recipient returned the money.' },
} as const;

const warningMessages: Readonly<Record<ChargeWarningEvent, string>> = {
  dispute_opened: 'The cardholder disputed the charge.',
  dispute_won: 'The dispute was won.',
  fraud_warning: 'The card network warned that the charge is fraudulent.',
  charge_refunded: 'The charge was refunded at the provider.',
};

/**
 * Sends due events and deletes old ones. Safe to run in parallel, because receivers expect duplicate events. An event without a 2xx answer
 * is sent again after increasing pauses.
 */
export async function sendSandboxEvents(platform: Platform, now: Date): Promise<void> {
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
  await deleteOldKeys(database, keysUntil);
  await deleteSentEvents(database, sentUntil);
}

export const earliestSandboxEvent = ({ database }: Platform): Promise<Date | null> => earliestEvent(database, attemptsMax);

/**
 * Returns true if the receiver does not respond: the remaining events are released for the next run instead of waiting for each timeout.
 */
async function sendInOrder(platform: Platform, due: readonly DueEvent[], now: Date): Promise<boolean> {
  const { database } = platform;
  for (const [place, event] of due.entries()) {
    const status = await deliverEvent(platform, event);
    if (!isTaken(status)) await postponeEvent(database, event, new Date(now.getTime() + pauseMs(event)));
    if (status !== noResponse) continue;
    for (const unsent of due.slice(place + 1)) await releaseEvent(database, unsent);
    return true;
  }
  return false;
}

const isTaken = (status: number): boolean => status >= 200 && status < 300;
const noResponse = 0;
const pauseMs = ({ attempts }: DueEvent): number => Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);

/** Sends one signed POST and returns the status of the response. */
export async function deliverEvent(platform: Platform, event: Pick<DueEvent, 'eventId' | 'copy' | 'body'>): Promise<number> {
  const { database, secrets, own, clock, log } = platform;
  const headers = { 'content-type': 'application/json', [sandboxSignatureHeader]: signSandboxEvent(secrets, event.body, realNow()) };
  const status = await fetch(`${own.url}${sandboxWebhookPath}`, {
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
    () => noResponse,
  );
  if (isTaken(status)) await markSent(database, event, clock.now());
  else log.warn({ event: event.eventId, status }, 'sandbox: a webhook event was not accepted, and will be sent again');
  return status;
}

export function signSandboxEvent(secrets: Secrets, body: Buffer | string, at: Date): string {
  const seconds = Math.floor(at.getTime() / secondMs);
  return `t=${seconds},v1=${signatureOf(secrets.keyedHash(...signedWith), seconds.toString(), body).toString('hex')}`;
}

const signedWith = ['news', 'the sandbox provider'] as const;

function signatureOf(key: Buffer, seconds: string, body: Buffer | string): Buffer {
  return createHmac('sha256', key).update(`${seconds}.`).update(body).digest();
}

/** Verifies the signature before it parses the body. */
export const readSandboxEvent =
  (secrets: Secrets): ReadProviderEvent =>
  async (body, headers, now) => {
    const why = whyForged(secrets, body, headers[sandboxSignatureHeader], now);
    return why === null ? understood(body) : { is: 'forged', why };
  };

function whyForged(secrets: Secrets, body: Buffer, header: string | undefined, now: Date): string | null {
  const [, seconds = '', hex = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (seconds === '') return `the header ${sandboxSignatureHeader} is missing or unreadable`;
  const given = Buffer.from(hex, 'hex');
  // Another process may still sign with the previous key during a rotation of SECRET_KEY.
  const isOurs = secrets.keyedHashes(...signedWith).some((key) => timingSafeEqual(signatureOf(key, seconds, body), given));
  if (!isOurs) return 'the signature is not ours';
  if (Math.abs(now.getTime() - Number(seconds) * secondMs) > signatureAgeMsMax) return 'it was signed too long ago';
  return null;
}

/** Our own signature proves the sender, but another release may have written a different form. */
function understood(body: Buffer): ReadEvent {
  const read = validate(eventJson, parsed(body));
  if (read.is === 'wrong') return { is: 'malformed', why: 'it is signed, but no event of the sandbox' };
  return { is: 'read', event: providerEventOf(read.value) };
}

function providerEventOf(event: Static<typeof eventJson>): ProviderEvent {
  const { newsId, reference } = event;
  if ('outcome' in event) return { about: event.about, eventId: newsId, reference, outcome: event.outcome };
  const reported = { eventId: newsId, reference, at: new Date(event.at), why: event.why };
  if ('amount' in event) return { about: event.about, ...reported, amount: event.amount === null ? null : cents(BigInt(event.amount)) };
  return { about: event.about, ...reported };
}

function parsed(body: Buffer): unknown {
  try {
    return parseExactly(body.toString('utf8'));
  } catch {
    return null;
  }
}
