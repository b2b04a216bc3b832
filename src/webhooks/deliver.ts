import { publicId } from '../platform/ids.ts';
import { callOutside, type OutgoingEnd } from '../platform/outgoing.ts';
import type { Platform } from '../platform/platform.ts';
import { minuteMs, realNow, secondMs } from '../platform/time.ts';
import { decideAttempt } from './decide-attempt.ts';
import { claimDeliveries, endDelivery, keepAttempt, tryDeliveryAgain, type Attempt, type ClaimedDelivery } from './deliveries-sql.ts';
import { disableEndpoint } from './disable.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { changeEndpoint, lockEndpoint } from './endpoints-sql.ts';
import { openSecrets } from './secrets.ts';
import { signedHeaders } from './sign.ts';

const timeoutMs = 10 * secondMs;
/** More of an answer is not read; of what is read, people see the beginning. */
const answerBytesMax = 4_000;
const answerLengthMax = 1_000;
/** For a sender that died: what it took is sent again after this time, rather twice than never. */
export const leaseMs = minuteMs;
const atOnce = 4;

export type Sending = {
  /** What is due by now is sent. Real time, except that a test may look ahead. */
  readonly moment: () => Date;
  /** Nothing is begun after this. */
  readonly until: Date;
};

/** Sends what is due to one endpoint. True: something may be left that is due. */
export async function deliverTo(platform: Platform, endpoint: WebhookEndpoint, { moment, until }: Sending): Promise<boolean> {
  while (realNow() < until) {
    const now = moment();
    const leaseEnds = new Date(now.getTime() + leaseMs);
    const claimed = await claimDeliveries(platform.database, { ...endpoint, now, leaseEnds, limit: atOnce });
    if (claimed.length === 0) return false;
    // Looked up after them: what happened after a secret was taken back is never signed with it.
    const secrets = await openSecrets(platform.database, platform.secrets, endpoint, now);
    // It was deleted in this moment.
    if (secrets.length === 0) return false;
    const ends = await Promise.all(claimed.map((delivery) => sendOne(platform, { endpoint, delivery, secrets, now })));
    if (claimed.length < atOnce) return false;
    // One that does not answer is not asked the same ten times over while others wait.
    if (ends.includes(false)) return true;
  }
  return true;
}

type One = {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: ClaimedDelivery;
  readonly secrets: readonly string[];
  readonly now: Date;
};

/** Calls the outside: never within a transaction. */
async function sendOne(platform: Platform, one: One): Promise<boolean> {
  const { endpoint, delivery, secrets, now } = one;
  const id = publicId('msg', delivery.eventId);
  const startedMs = performance.now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tributary webhooks',
    // When it is sent, not when it happened: a receiver refuses what is too old, lest it was recorded and played again.
    ...signedHeaders({ id, at: realNow(), body: delivery.body }, secrets),
  };
  const call = { url: endpoint.url, method: 'POST', headers, body: delivery.body } as const;
  const end = await callOutside(call, { allow: platform.config.outgoingAllow, timeoutMs, bytesMax: answerBytesMax });
  const attempt = { number: delivery.attempts, at: now, tookMs: Math.round(performance.now() - startedMs), ...toldOf(end) };
  return keepEnd(platform, one, attempt);
}

function toldOf(end: OutgoingEnd): Pick<Attempt, 'status' | 'fault' | 'answer'> {
  if (end.is !== 'answered') return { status: null, fault: end.message, answer: null };
  const text = end.body.toString('utf8').replaceAll('\0', '\ufffd').toWellFormed();
  return { status: end.status, fault: null, answer: text.slice(0, answerLengthMax).toWellFormed() };
}

/** Locks the endpoint first, so that attempts that end at once agree since when it fails. */
async function keepEnd(platform: Platform, { endpoint, delivery, now }: One, attempt: Attempt): Promise<boolean> {
  const { storeId } = endpoint;
  const key = { storeId, deliveryId: delivery.deliveryId };
  return platform.database.transaction(async (tx) => {
    const standing = await lockEndpoint(tx, endpoint);
    await keepAttempt(tx, key, attempt);
    const failingSince = standing?.failingSince ?? null;
    const end = decideAttempt({ status: attempt.status, tries: delivery.tries, failingSince, now });
    const isKept = end.do === 'keep';
    if (end.do === 'try again') await tryDeliveryAgain(tx, key, end.at);
    else await endDelivery(tx, key, { state: isKept ? 'delivered' : 'failed', at: now });
    if (standing === null || standing.disabledAt !== null) return isKept;
    if (end.do === 'disable') await disableEndpoint(tx, platform, standing, end.why);
    else if (isKept !== (failingSince === null)) await changeEndpoint(tx, endpoint, { ...standing, failingSince: isKept ? null : now });
    return isKept;
  });
}
