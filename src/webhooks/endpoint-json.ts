import { Type as T } from 'typebox';
import { namesOf } from '../core/names-of.ts';
import { isoTime, isoTimeOrNull, lineField, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { disabledReasons, type WebhookEndpoint } from './webhook-endpoint.ts';
import { eventTypes } from './event-types.ts';

const descriptionLengthMax = 200;
const urlLengthMax = 2_000;
const types = namesOf(eventTypes);

export const requestedEndpointFields = {
  url: T.String({ minLength: 1, maxLength: urlLengthMax, description: 'An https URL; a 2xx response confirms an event' }),
  description: orNull(lineField(descriptionLengthMax)),
  events: T.Array(T.Enum(types), {
    minItems: 1,
    maxItems: types.length,
    uniqueItems: true,
    description: types.map((type) => `${type}: ${eventTypes[type]}`).join('. '),
  }),
};

export const endpointFields = {
  id: T.String(),
  url: T.String(),
  description: orNull(T.String()),
  events: T.Array(T.String()),
  created_at: T.String(),
  is_enabled: T.Boolean(),
  disabled_at: orNull(T.String()),
  disabled_why: orNull(T.Enum([...disabledReasons])),
  failing_since: orNull(T.String({ description: 'In real time; since then no event was confirmed' })),
};

export const showEndpoint = (found: WebhookEndpoint) => ({
  id: publicId('wh', found.endpointId),
  url: found.url,
  description: found.description,
  events: [...found.events],
  created_at: isoTime(found.createdAt),
  is_enabled: found.disabledAt === null,
  disabled_at: isoTimeOrNull(found.disabledAt),
  disabled_why: found.disabledWhy,
  failing_since: isoTimeOrNull(found.failingSince),
});
