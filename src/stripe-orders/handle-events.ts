import { handleStripeEvent, readEvent, type HandledEvent, type StripeMemory, type StripeReporter } from '../../sdk/src/stripe.ts';
import { StripeReadError, stripeReader, type ReadStripe } from '../../sdk/src/stripe-reader.ts';
import { isReferred, type Checkout } from '../../sdk/src/stripe-checkouts.ts';
import type { StripeJson } from '../../sdk/src/stripe-objects.ts';
import type { Queryable } from '../db/database.ts';
import { stripeEventsLock } from '../db/advisory-locks.ts';
import { errorForLog, isConnectionLost } from '../db/sql-errors.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { readJson } from '../core/json.ts';
import { amountToJson, cents } from '../core/money.ts';
import { dayMs, minuteMs, realNow } from '../core/time.ts';
import { whyClosed } from '../inbox/closed-sql.ts';
import { forEachConnectedStore, handleStores, wakeStore, type StoreRun } from '../inbox/connected-stores.ts';
import { decideEventEnd } from '../inbox/decide-event-end.ts';
import { directReports, type AnswerReport } from '../inbox/direct-reports.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { openApiKey } from './connection.ts';
import { findConnection, listConnectedStores, type StripeConnection } from './connections-sql.ts';
import {
  claimEvents,
  deleteOldEvents,
  findClickOfSubscription,
  findSessionByPayment,
  hasDueEvents,
  insertSession,
  saveEventEnd,
  type ClaimedEvent,
} from './events-sql.ts';

/** The queue runs this task when an event was stored, and each minute for retries. */
export const handleStripeEventsTask = 'handle_stripe_events';

const claimMax = 20;
/** After a crash, the events in progress are processed again after this time. Their reports have the same IDs, so nothing is doubled. */
const leaseMs = minuteMs;

/** Enqueued in the transaction that makes an event due. */
export const wakeHandler = (db: Queryable, storeId: Id<'store'>): Promise<void> => wakeStore(db, handleStripeEventsTask, storeId);

/** A task: processes the due events of one store, or of all. */
export const handleStripeEvents = (platform: Platform, answer: AnswerReport, payload: unknown): Promise<void> =>
  handleStores(platform, payload, {
    listConnected: listConnectedStores,
    failed: 'Stripe events of stores were not processed',
    handleStore: (run) => handleStore(platform, answer, run),
  });

/** Processes a store in one run at a time: an invoice that another run reports after the end of its subscription would earn nothing. */
async function handleStore(platform: Platform, answer: AnswerReport, run: StoreRun): Promise<void> {
  const { database } = platform;
  if (!(await hasDueEvents(database, run.storeId, realNow()))) return;
  const lock = await stripeEventsLock(database, run.storeId);
  // The run that holds the lock checks for due events again after it releases the lock.
  if (lock === null) return;
  try {
    await handleDueEvents(platform, answer, run);
  } finally {
    await lock.release();
  }
  if (await hasDueEvents(database, run.storeId, realNow())) await wakeHandler(database, run.storeId);
}

async function handleDueEvents(platform: Platform, answer: AnswerReport, { storeId, until }: StoreRun): Promise<void> {
  const { database } = platform;
  while (realNow() < until) {
    const now = realNow();
    const claimed = await claimEvents(database, { storeId, now, leaseEnds: new Date(now.getTime() + leaseMs), limit: claimMax });
    // Read after the claim, so that an event is never processed with a key that was removed before.
    const connection = claimed.length === 0 ? null : await findConnection(database, storeId);
    if (connection === null) return;
    const closed = await whyClosed(database, storeId);
    // A store whose terms never counted codes needs no requests to Stripe for subscriptions without a click.
    const readsPromotionCodes = (await storesBeyondClicks(database, [{ storeId }])).has(storeId);
    const reporter = openReporter(platform, answer, { connection, readsPromotionCodes });
    for (const event of claimed) {
      // What is left of the claim is due again when its lease ends.
      if (realNow() >= until) return;
      const handled: HandledEvent =
        closed === null ? await handleOne(platform, reporter, event) : { outcome: 'again', reason: closed, message: null };
      platform.reached('stripe orders: event handled');
      await saveEventEnd(database, { storeId, eventId: event.eventId }, decideEventEnd(handled, { ...event, now: realNow() }));
    }
    if (claimed.length < claimMax) return;
  }
}

type OpenReporter = (requestId: string) => StripeReporter;

/** An error of ours delays this event, and no other. */
async function handleOne({ log }: Platform, reporter: OpenReporter, { body }: ClaimedEvent): Promise<HandledEvent> {
  const json = readJson(body);
  const event = json.is === 'json' ? readEvent(json.value) : null;
  invariant(event !== null, 'only events that can be read are stored');
  try {
    return await handleStripeEvent(reporter(event.id), event);
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    log.error({ event: event.id, type: event.type, error: errorForLog(error) }, 'an event of a Stripe account was not processed');
    return { outcome: 'again', reason: 'temporarily_unavailable', message: null };
  }
}

type ConnectedStore = { readonly connection: StripeConnection; readonly readsPromotionCodes: boolean };

/** The bridge of the package, which reports to this service without HTTP, and remembers sessions. */
function openReporter(platform: Platform, answer: AnswerReport, { connection, readsPromotionCodes }: ConnectedStore): OpenReporter {
  const apiKey = openApiKey(platform.secrets, connection);
  const read: ReadStripe =
    apiKey === null
      ? () => Promise.reject(new StripeReadError('stripe_key_missing', 'There is no API key.'))
      : stripeReader(apiKey, stripeUrlOf(platform));
  const memory = memoryOf(platform, connection.storeId);
  return (requestId) => {
    const { conversions, subscriptions } = directReports(answer, { integration: connection, requestId });
    return {
      tributary: { subscriptions },
      conversions,
      clickField: 'rm_click',
      readsPromotionCodes,
      eligibleCents: eligibleOfInvoice,
      read,
      memory,
      onResult: undefined,
    };
  };
}

const stripeUrlOf = ({ config: { stripeApi: api } }: Platform): string | undefined =>
  api === null ? undefined : `http://${api.host}:${api.port}`;

/** Without tax, as the eligible amount of a session is. Stripe leaves the field out where it computes none. */
const eligibleOfInvoice = (invoice: StripeJson): number => Number(invoice['total_excluding_tax'] ?? invoice['amount_paid']);

function memoryOf({ database }: Platform, storeId: Id<'store'>): StripeMemory {
  return {
    remember: (checkout) => insertSession(database, storeId, sessionOf(checkout)),
    async orderOfPayment(payment) {
      const session = await findSessionByPayment(database, storeId, payment);
      if (session === null) return null;
      const { sessionName: orderId, totalCents, eligibleCents, isReferred: isReported } = session;
      return {
        orderId,
        totalCents: amountToJson(cents(totalCents)),
        eligibleCents: amountToJson(cents(eligibleCents)),
        isReferred: isReported,
      };
    },
    clickOfSubscription: (subscription) => findClickOfSubscription(database, storeId, subscription),
  };
}

const sessionOf = (checkout: Checkout) => ({
  sessionName: checkout.id,
  paymentName: checkout.buys === 'order' ? checkout.paymentIntentId : null,
  subscriptionName: checkout.subscriptionId,
  clickId: checkout.click,
  isReferred: isReferred(checkout),
  totalCents: BigInt(checkout.totalCents),
  eligibleCents: BigInt(checkout.subtotalCents),
  createdAt: checkout.createdAt,
});

const eventDaysKept = 90;
const bodyDaysKept = 30;
/** Refunds are accepted for 372 days. */
const sessionDaysKept = 400;

/** A daily job, by real time. */
export async function deleteOldStripeEvents(platform: Platform, _now: Date, really: Date = realNow()): Promise<void> {
  const before = (days: number): Date => new Date(really.getTime() - days * dayMs);
  const task = { listConnected: listConnectedStores, failed: 'Old Stripe events of stores could not be deleted' };
  await forEachConnectedStore(platform, task, (storeId) =>
    deleteOldEvents(platform.database, {
      storeId,
      eventsBefore: before(eventDaysKept),
      bodiesBefore: before(bodyDaysKept),
      sessionsBefore: before(sessionDaysKept),
    }),
  );
}
