import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { concernOf } from '../../sdk/src/decide-stripe.ts';
import { readEvent, type StripeEvent } from '../../sdk/src/stripe.ts';
import { field, idIn } from '../../sdk/src/stripe-objects.ts';
import { isSignedByStripe } from '../../sdk/src/stripe-signature.ts';
import { newId, readPublicId } from '../core/ids.ts';
import { readJson } from '../core/json.ts';
import { minuteMs, realNow } from '../core/time.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Platform } from '../runtime/platform.ts';
import { openSigningSecrets } from './connection.ts';
import { findConnection, saveRejection, type StripeConnection } from './connections-sql.ts';
import type { EventEnd } from '../inbox/event-end.ts';
import { insertEvent } from './events-sql.ts';
import { wakeHandler } from './handle-events.ts';

/** The path of a store's endpoint, with `:store` for all of them. */
export const stripeEventsPath = (store: string): string => `/api/v1/providers/stripe/stores/${store}`;

/** Stripe's own limit for the age of a signature. */
const toleranceSeconds = 300;
const rejectionsEveryMs = minuteMs;

type Answer = { readonly status: 200 | 400 | 404; readonly reason: string; readonly message: string };
const answer = (status: Answer['status'], reason: string, message: string): Answer => ({ status, reason, message });
const stored = answer(200, 'taken', apiMessage('stripe_orders.event_stored'));
const notConnected = answer(404, 'not_found', apiMessage('stripe_orders.not_connected'));

/**
 * Receives the events of a store's Stripe account. An event is stored before it is acknowledged, and processed by the queue: if it cannot
 * be stored, Stripe gets 503 and delivers it again.
 */
export function registerStripeEvents(app: FastifyInstance, platform: Platform): void {
  app.post<{ Params: { readonly store: string } }>(stripeEventsPath(':store'), async (request, reply) =>
    send(reply, await receive(platform, request)),
  );
}

const send = (reply: FastifyReply, { status, reason, message }: Answer): FastifyReply =>
  reply.status(status).send({ ok: status === 200, reason, message });

async function receive(platform: Platform, request: FastifyRequest<{ Params: { readonly store: string } }>): Promise<Answer> {
  const storeId = readPublicId('store', request.params.store);
  const connection = storeId === null ? null : await findConnection(platform.database, storeId);
  if (connection === null) return notConnected;
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const now = realNow();
  const why = whyUnsigned(platform, connection, { bytes, header: request.headers['stripe-signature'], now });
  if (why !== null) return reject(platform, connection, { now, why, reason: 'bad_signature' });
  const json = readJson(bytes);
  const event = json.is === 'json' ? readEvent(json.value) : null;
  if (json.is === 'none' || event === null || !isStorable(event))
    return reject(platform, connection, { now, why: apiMessage('stripe_orders.signed_but_unreadable'), reason: 'invalid_request' });
  await storeEvent(platform, connection, { event, bytes, now, isLive: field(json.value, 'livemode') === true });
  return stored;
}

type Signed = { readonly bytes: Buffer; readonly header: string | string[] | undefined; readonly now: Date };

/** Null if Stripe signed these bytes recently with a secret of this store. */
function whyUnsigned({ secrets }: Platform, connection: StripeConnection, { bytes, header, now }: Signed): string | null {
  if (typeof header !== 'string') return apiMessage('stripe_orders.no_signature');
  const signed = { raw: bytes, header, secrets: openSigningSecrets(secrets, connection, now), nowMs: now.getTime() };
  if (isSignedByStripe({ ...signed, toleranceSeconds })) return null;
  const isOld = isSignedByStripe({ ...signed, toleranceSeconds: Number.POSITIVE_INFINITY });
  return isOld ? apiMessage('stripe_orders.old_signature') : apiMessage('stripe_orders.wrong_signature');
}

type Rejection = { readonly now: Date; readonly why: string; readonly reason: string };

async function reject({ database }: Platform, { storeId }: StripeConnection, { now, why, reason }: Rejection): Promise<Answer> {
  await saveRejection(database, { storeId, at: now, why, unlessAfter: new Date(now.getTime() - rejectionsEveryMs) });
  return answer(400, reason, why);
}

const lastSecondOfYear9999 = 253_402_300_799_000;

/** A signature proves the sender of an event, not its form. */
const isStorable = ({ id, type, at }: StripeEvent): boolean =>
  /^[\w-]{1,255}$/.test(id) && /^[\w.]{1,100}$/.test(type) && at.getTime() >= 0 && at.getTime() <= lastSecondOfYear9999;

type Received = { readonly event: StripeEvent; readonly bytes: Buffer; readonly now: Date; readonly isLive: boolean };

async function storeEvent(platform: Platform, { storeId }: StripeConnection, { event, bytes, now, isLive }: Received): Promise<void> {
  const unused = whyUnused(event, { isLive, isLiveService: platform.config.mode === 'live' });
  const end: Omit<EventEnd, 'isFinal'> =
    unused === null
      ? { state: 'waiting', reason: null, message: null, tryAt: now, endedAt: null }
      : { ...unused, message: null, tryAt: now, endedAt: now };
  const objectName = idIn(event.object, 'id');
  await platform.database.transaction(async (tx) => {
    const isNew = await insertEvent(tx, {
      storeId,
      eventId: newId<'sev'>(now),
      eventName: event.id,
      objectName: objectName !== null && /^[\w-]{1,255}$/.test(objectName) ? objectName : null,
      type: event.type,
      createdAt: event.at,
      receivedAt: now,
      body: unused === null ? bytes : null,
      ...end,
    });
    if (isNew && unused === null) await wakeHandler(tx, storeId);
  });
}

type Modes = { readonly isLive: boolean; readonly isLiveService: boolean };

/** Payments of the other mode are never used: test payments would earn money, and live ones would earn nothing. */
function whyUnused({ type }: StripeEvent, { isLive, isLiveService }: Modes): Pick<EventEnd, 'state' | 'reason'> | null {
  if (concernOf(type) === null) return { state: 'ignored', reason: 'irrelevant_type' };
  if (isLive === isLiveService) return null;
  return { state: 'failed', reason: isLiveService ? 'test_mode' : 'live_mode' };
}
