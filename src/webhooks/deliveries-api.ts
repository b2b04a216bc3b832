import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import type { Queryable } from '../db/database.ts';
import { notFound, type Refusal, refuse } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { jsonText } from '../core/json.ts';
import { pageFields } from '../http/page.ts';
import { newId, publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import {
  type Attempt,
  listAttempts,
  deliveryStates,
  findDelivery,
  listDeliveries,
  type ListedDelivery,
  rescheduleDelivery,
} from './deliveries-sql.ts';
import { leaseMs, runWebhooksTask } from './deliver-webhooks.ts';
import type { WebhookKey } from './webhook-endpoint.ts';
import { findEndpoint, lockEndpoint } from './endpoints-sql.ts';
import { testEvent } from './event-types.ts';
import { insertEvents } from './events-sql.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const deliveryFields = {
  id: T.String(),
  event_id: T.String({ description: 'The webhook-id, which is the same for all attempts and endpoints' }),
  type: T.String(),
  at: T.String(),
  state: T.Enum([...deliveryStates]),
  attempts: T.Integer(),
  last_status: orNull(T.Integer()),
  last_fault: orNull(T.String({ description: 'Why there was no response' })),
  next_try_at: orNull(T.String({ description: 'Real time' })),
  ended_at: orNull(T.String({ description: 'Real time' })),
};

const deliveryJson = namedObject('WebhookDelivery', deliveryFields);

const showDelivery = (delivery: ListedDelivery) => ({
  id: publicId('whd', delivery.deliveryId),
  event_id: publicId('msg', delivery.eventId),
  type: delivery.type,
  at: isoTime(delivery.at),
  state: delivery.state,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  last_fault: delivery.lastError,
  next_try_at: delivery.state === 'waiting' ? isoTime(delivery.tryAt) : null,
  ended_at: isoTimeOrNull(delivery.endedAt),
});

const attemptJson = namedObject('WebhookAttempt', {
  number: T.Integer(),
  at: T.String(),
  took_ms: T.Integer(),
  status: orNull(T.Integer()),
  fault: orNull(T.String()),
  answer: orNull(T.String({ description: 'The beginning of the response' })),
});
const showAttempt = ({ number, at, tookMs, status, error, answer }: Attempt) => ({
  number,
  at: isoTime(at),
  took_ms: tookMs,
  status,
  fault: error,
  answer,
});

export const listWebhookDeliveries = listEndpoint({
  summary: 'List the deliveries of an endpoint with their results; kept for 30 days',
  access: { allow: 'store', permission: 'store:read' },
  ids: { endpoint: 'wh' },
  query: T.Object({ ...pageFields, state: T.Optional(T.Enum([...deliveryStates])) }, { additionalProperties: false }),
  item: deliveryJson,
  exists: async ({ db, ids }) => (await findEndpoint(db, { storeId: ids.store, endpointId: ids.endpoint })) !== null,
  rows: ({ db, ids, query }, page) =>
    listDeliveries(db, { storeId: ids.store, endpointId: ids.endpoint, state: query.state ?? null }, page),
  renderer: () => showDelivery,
  key: ({ deliveryId }) => [deliveryId],
});

const attemptsShown = 50;

export const getWebhookDelivery = endpoint({
  summary: 'Get a delivery with its body, and each attempt with its response',
  access: { allow: 'store', permission: 'store:read' },
  ids: { endpoint: 'wh', delivery: 'whd' },
  reply: namedObject('WebhookDeliveryDetails', {
    ...deliveryFields,
    body: T.String({ description: 'The exact bytes' }),
    attempts_made: T.Array(attemptJson),
  }),
  async handle({ db, ids }) {
    const key = { storeId: ids.store, endpointId: ids.endpoint, deliveryId: ids.delivery };
    if ((await findEndpoint(db, key)) === null) return notFound;
    const delivery = await findDelivery(db, key);
    if (delivery === null) return notFound;
    const attempts = await listAttempts(db, key, attemptsShown);
    return { ...showDelivery(delivery), body: delivery.body, attempts_made: attempts.map(showAttempt) };
  },
});

export const resendWebhookDelivery = endpoint({
  summary: 'Send an event again, with the same event ID and all retries',
  access: { allow: 'store', permission: 'integration:write' },
  ids: { endpoint: 'wh', delivery: 'whd' },
  reply: deliveryJson,
  audit: 'webhook_delivery.resend',
  async handle({ db, ids }) {
    const key = { storeId: ids.store, endpointId: ids.endpoint, deliveryId: ids.delivery };
    const refused = await refusedUnlessAtWork(db, key);
    if (refused !== null) return refused;
    const tryAt = realNow();
    await rescheduleDelivery(db, key, { tryAt, soonBy: new Date(tryAt.getTime() + leaseMs) });
    const delivery = await findDelivery(db, key);
    if (delivery === null) return notFound;
    await enqueue(db, runWebhooksTask, {}, { key: `${runWebhooksTask} ${ids.delivery}` });
    return showDelivery(delivery);
  },
});

export const testWebhookEndpoint = endpoint({
  summary: 'Send a test event of the type webhook.test',
  access: { allow: 'store', permission: 'integration:write' },
  ids: { endpoint: 'wh' },
  reply: T.Object({ event_id: T.String() }),
  status: 201,
  audit: 'webhook_endpoint.test',
  async handle({ db, ids, now }) {
    const key = { storeId: ids.store, endpointId: ids.endpoint };
    const refused = await refusedUnlessAtWork(db, key);
    if (refused !== null) return refused;
    const eventId = newId<'msg'>(realNow());
    const data = { webhook_endpoint_id: publicId('wh', ids.endpoint) };
    const body = jsonText({ type: testEvent, timestamp: isoTime(now), data });
    const event = { eventId, type: testEvent, subjectId: ids.endpoint, at: now, body, endpointIds: [ids.endpoint] };
    await insertEvents(db, { storeId: ids.store, tryAt: realNow() }, [event]);
    await enqueue(db, runWebhooksTask, {}, { key: `${runWebhooksTask} ${eventId}` });
    return { event_id: publicId('msg', eventId) };
  },
});

async function refusedUnlessAtWork(db: Queryable, key: WebhookKey): Promise<Refusal | null> {
  const found = await lockEndpoint(db, key);
  if (found === null) return notFound;
  return found.disabledAt === null ? null : refuse('conflict', apiMessage('deliveries_api.endpoint_switched_off_switch_on'));
}
