import { Type as T } from 'typebox';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { pageFields } from '../http/page.ts';
import { notFound, refuse } from '../http/responses.ts';
import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { eventStates } from '../inbox/event-end.ts';
import { findEvent, listEvents, retryEvent, type ListedEvent } from './events-sql.ts';
import { explainReason } from './explain-reason.ts';
import { wakeHandler } from './handle-events.ts';

const eventJson = namedObject('StripeEvent', {
  id: T.String(),
  event_id: T.String({ description: "Stripe's ID of the event. The tracking log names it as the request ID of each report." }),
  object_id: orNull(T.String({ description: 'The session, invoice, subscription, charge, or refund at Stripe' })),
  type: T.String(),
  created_at: T.String({ description: 'When it happened, as Stripe says' }),
  received_at: T.String(),
  state: T.Enum([...eventStates], {
    description: 'done: reported. ignored: nothing in it can earn. failed: it cannot be used; see message. waiting: it is processed again',
  }),
  reason: orNull(T.String()),
  message: orNull(T.String({ description: 'What happened, and what to do' })),
  attempts: T.Integer(),
  next_try_at: orNull(T.String()),
  can_retry: T.Boolean(),
});

const showEvent = (event: ListedEvent) => ({
  id: publicId('sev', event.eventId),
  event_id: event.eventName,
  object_id: event.objectName,
  type: event.type,
  created_at: isoTime(event.createdAt),
  received_at: isoTime(event.receivedAt),
  state: event.state,
  reason: event.reason,
  message: explainReason(event.reason, event.message),
  attempts: event.attempts,
  next_try_at: event.state === 'waiting' ? isoTime(event.tryAt) : null,
  can_retry: isRetryable(event),
});

const isRetryable = ({ state, hasBody }: ListedEvent): boolean => hasBody && (state === 'waiting' || state === 'failed');

export const listStripeEvents = listEndpoint({
  summary: 'List the events that Stripe delivered, with what became of them; kept for 90 days',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, state: T.Optional(T.Enum([...eventStates])) }, { additionalProperties: false }),
  item: eventJson,
  rows: ({ db, ids, query }, page) => listEvents(db, { storeId: ids.store, state: query.state ?? null }, page),
  renderer: () => showEvent,
  key: ({ eventId }) => [eventId],
});

export const retryStripeEvent = endpoint({
  summary: 'Process a failed or waiting event again now',
  access: { allow: 'store', permission: 'integration:write' },
  ids: { event: 'sev' },
  reply: eventJson,
  audit: 'stripe_event.retry',
  async handle({ db, ids }) {
    const key = { storeId: ids.store, eventId: ids.event };
    const isDue = await retryEvent(db, key, realNow());
    const event = await findEvent(db, key);
    if (event === null) return notFound;
    if (!isDue) return refuse('conflict', apiMessage('stripe_orders.cannot_retry'));
    await wakeHandler(db, ids.store);
    return showEvent(event);
  },
});
