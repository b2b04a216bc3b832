import { emailMessage } from '../messages/format-message.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { disableStoreEvents, listStoresWithListeners } from '../notify/store-events-sql.ts';
import { firstIdAt, type Id, publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import { dayMs, minuteMs, plusDays, realNow, secondMs } from '../core/time.ts';
import type { DisabledReason, WebhookEndpoint } from './webhook-endpoint.ts';
import { changeEndpoint, listEnabledEndpoints, lockEndpoint } from './endpoints-sql.ts';
import { deleteEventsBefore, listCollectingStores } from './events-sql.ts';
import { collectEvents } from './collect-events.ts';
import { sendOutgoing, type OutgoingResult } from '../http/outgoing-request.ts';
import { decideAttempt, failingDaysMax } from './decide-attempt.ts';
import {
  type Attempt,
  claimDeliveries,
  type ClaimedDelivery,
  endDelivery,
  endWaiting,
  insertAttempt,
  tryDeliveryAgain,
} from './deliveries-sql.ts';
import { openSecrets, signedHeaders } from './signatures.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { roleHasPermission } from '../people/permissions.ts';
import { listTeamMembers } from '../people/team-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { invariant } from '../core/invariant.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

/** The queue runs this task each minute, and every few seconds while a store has an endpoint. */
export const runWebhooksTask = 'tend_webhooks';

const storeBounds = { rowsPerPage: 500, pagesMax: 20 };

const everyMs = 5 * secondMs;

/** No delivery starts later than this in one run, because other tasks of the queue wait. */
const runMsMax = 20 * secondMs;

const endpointsAtOnce = 16;

const webhookDaysKept = 30;

/** A task: collects the events of stores with endpoints, and sends due deliveries. */
export async function runWebhooks(platform: Platform, now: Date = realNow()): Promise<void> {
  const begunAt = realNow();
  // Reads the time per delivery, because a run takes long: leases, signatures, and retries count from the start of each.
  const moment = () => new Date(now.getTime() + realNow().getTime() - begunAt.getTime());
  const stores = await storesBy(listStoresWithListeners, platform);
  for (const storeId of stores)
    await logFailure(platform, storeId, () => collectEvents(platform.database, platform.clock, storeId, moment()));
  const until = new Date(realNow().getTime() + runMsMax);
  const endpoints: WebhookEndpoint[] = [];
  for (const storeId of stores)
    await logFailure(platform, storeId, async () => void endpoints.push(...(await listEnabledEndpoints(platform.database, storeId))));
  let isMore = false;
  const waiting = endpoints.values();
  // Several workers share one list, so that a slow endpoint blocks one worker only.
  const walk = async () => {
    for (const endpoint of waiting)
      await logFailure(platform, endpoint.storeId, async () => {
        if (await deliverTo(platform, endpoint, { moment, until })) isMore = true;
      });
  };
  await Promise.all(Array.from({ length: endpointsAtOnce }, walk));
  if (stores.length === 0) return;
  const runAt = new Date(realNow().getTime() + (isMore ? 0 : everyMs));
  await enqueue(platform.database, runWebhooksTask, {}, { key: `${runWebhooksTask} again`, runAt });
}

/** Logs the failure of one store, so that the others continue. */
async function logFailure({ log }: Platform, storeId: Id<'store'>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ storeId, error: errorForLog(error) }, 'webhooks: a store was left out this time');
  }
}

async function storesBy(pageOf: typeof listStoresWithListeners, { database }: Platform): Promise<ReadonlyArray<Id<'store'>>> {
  const pages = boundedKeysetPages<Id<'store'>, Id<'store'>>(storeBounds, itself, ({ after, limit }) => pageOf(database, after, limit));
  return (await Array.fromAsync(pages)).flat();
}

/** A daily job: deletes old events, because they contain order IDs and amounts. */
export async function deleteOldWebhooks(platform: Platform, now: Date, really: Date = realNow()): Promise<void> {
  const deliveriesBefore = firstIdAt(new Date(really.getTime() - webhookDaysKept * dayMs));
  const eventsBefore = plusDays(now, -webhookDaysKept);
  const failures = tenantFailures(platform.log, 'Old webhooks of stores could not be deleted');
  for (const storeId of await storesBy(listCollectingStores, platform))
    await failures.run(publicId('store', storeId), () =>
      platform.database.transaction((tx) => deleteEventsBefore(tx, { storeId, deliveriesBefore, eventsBefore })),
    );
  failures.raise();
}

const timeoutMs = 10 * secondMs;

/** Limits how much of a response is read; people see the beginning of that. */
const answerBytesMax = 4_000;

const answerLengthMax = 1_000;

/** After a crash of the sender, its deliveries are sent again after this time: at least once, perhaps twice. */
export const leaseMs = minuteMs;

const atOnce = 4;

export type Sending = {
  /** Sends what is due by this time. Real time, except in tests. */
  readonly moment: () => Date;
  /** No delivery starts after this. */
  readonly until: Date;
};

/** Sends due deliveries to one endpoint. True: more may be due. */
export async function deliverTo(platform: Platform, endpoint: WebhookEndpoint, { moment, until }: Sending): Promise<boolean> {
  while (realNow() < until) {
    const now = moment();
    const leaseEnds = new Date(now.getTime() + leaseMs);
    const claimed = await claimDeliveries(platform.database, { ...endpoint, now, leaseEnds, limit: atOnce });
    if (claimed.length === 0) return false;
    // Reads the secrets after the deliveries, so that an event after a revocation is never signed with the revoked secret.
    const secrets = await openSecrets(platform.database, platform.secrets, endpoint, now);
    // The endpoint was deleted meanwhile.
    if (secrets.length === 0) return false;
    const ends = await Promise.all(claimed.map((delivery) => sendOne(platform, { endpoint, delivery, secrets, now })));
    if (claimed.length < atOnce) return false;
    // Stops at an endpoint that does not respond, instead of trying ten deliveries while others wait.
    if (ends.includes(false)) return true;
  }
  return true;
}

type Delivery = {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: ClaimedDelivery;
  readonly secrets: readonly string[];
  readonly now: Date;
};

/** Calls an external server, so never within a transaction. */
async function sendOne(platform: Platform, one: Delivery): Promise<boolean> {
  const { endpoint, delivery, secrets, now } = one;
  const id = publicId('msg', delivery.eventId);
  const startedMs = performance.now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tributary webhooks',
    // Signs the time of sending, because receivers reject old timestamps to prevent replays.
    ...signedHeaders({ id, at: realNow(), body: delivery.body }, secrets),
  };
  const call = { url: endpoint.url, method: 'POST', headers, body: delivery.body } as const;
  const end = await sendOutgoing(call, { allow: platform.config.outgoingAllow, timeoutMs, bytesMax: answerBytesMax });
  const attempt = { number: delivery.attempts, at: now, tookMs: Math.round(performance.now() - startedMs), ...outcomeOf(end) };
  return saveAttemptEnd(platform, one, attempt);
}

function outcomeOf(end: OutgoingResult): Pick<Attempt, 'status' | 'error' | 'answer'> {
  if (end.is !== 'answered') return { status: null, error: end.message, answer: null };
  const text = end.body.toString('utf8').replaceAll('\0', '\ufffd').toWellFormed();
  return { status: end.status, error: null, answer: text.slice(0, answerLengthMax).toWellFormed() };
}

/** Locks the endpoint first, so that concurrent attempts agree on its first failure. */
async function saveAttemptEnd(platform: Platform, { endpoint, delivery, now }: Delivery, attempt: Attempt): Promise<boolean> {
  const { storeId } = endpoint;
  const key = { storeId, deliveryId: delivery.deliveryId };
  return platform.database.transaction(async (tx) => {
    const locked = await lockEndpoint(tx, endpoint);
    await insertAttempt(tx, key, attempt);
    const failingSince = locked?.failingSince ?? null;
    const end = decideAttempt({ status: attempt.status, tries: delivery.tries, failingSince, now });
    const isKept = end.do === 'keep';
    if (end.do === 'try again') await tryDeliveryAgain(tx, key, end.at);
    else await endDelivery(tx, key, { state: isKept ? 'delivered' : 'failed', at: now });
    if (locked === null || locked.disabledAt !== null) return isKept;
    if (end.do === 'disable') await disableEndpoint(tx, platform, locked, end.why);
    else if (isKept !== (failingSince === null)) await changeEndpoint(tx, endpoint, { ...locked, failingSince: isKept ? null : now });
    return isKept;
  });
}

type About = Pick<Platform, 'config' | 'secrets' | 'clock'>;

/**
 * Disables an endpoint and emails the people who maintain the integration, in one transaction. The caller must hold the endpoint lock.
 */
export async function disableEndpoint(tx: Transaction, about: About, endpoint: WebhookEndpoint, why: Exclude<DisabledReason, 'by_hand'>) {
  const { storeId } = endpoint;
  await changeEndpoint(tx, endpoint, { ...endpoint, disabledAt: about.clock.now(), disabledWhy: why });
  await endWaiting(tx, endpoint, realNow());
  await stopCollectingIfUnused(tx, storeId);
  const store = await findStore(tx, storeId);
  invariant(store, 'stores are never deleted');
  const url = `${about.config.baseUrl}/stores/${publicId('store', storeId)}/integration`;
  const content = endpointDisabledEmail({ storeName: store.name, endpointUrl: endpoint.url, why, url });
  const people = (await listTeamMembers(tx, storeId)).filter(({ role }) => roleHasPermission(role, 'integration:write'));
  for (const { email } of people) await enqueueEmail(tx, about.secrets, { to: email, content, storeId });
}

/** Stops collecting events if the store has no enabled endpoint left. */
export async function stopCollectingIfUnused(db: Queryable, storeId: Id<'store'>): Promise<void> {
  if ((await listEnabledEndpoints(db, storeId)).length === 0) await disableStoreEvents(db, storeId);
}

type Disabled = { readonly storeName: string; readonly endpointUrl: string; readonly why: 'failing' | 'gone'; readonly url: string };

const endpointDisabledEmail = ({ storeName: store, endpointUrl: endpoint, why, url }: Disabled): EmailContent => ({
  subject: emailMessage('endpoint_disabled.subject', { store }),
  paragraphs: [
    why === 'gone'
      ? emailMessage('endpoint_disabled.gone', { endpoint })
      : emailMessage('endpoint_disabled.failing', { endpoint, days: failingDaysMax }),
  ],
  button: { label: emailMessage('endpoint_disabled.button'), url },
  footnotes: [emailMessage('endpoint_disabled.enable'), emailMessage('endpoint_disabled.resend')],
});
