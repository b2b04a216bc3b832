import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { notFound, refuse } from '../http/responses.ts';
import { isoTime, orNull } from '../http/fields.ts';
import { hourMs, realNow } from '../core/time.ts';
import { endSecrets, lockEndpoint, listSecrets } from './endpoints-sql.ts';
import { createSecret } from './signatures.ts';
import { apiMessage } from '../messages/api-message.ts';

const secretsMax = 2;
const previousHoursUsual = 24;
const previousHoursMax = 72;

/** Two secrets are valid during a rotation, and every event is signed with both, so the receiver can switch at any time. */
export const rotateWebhookSecret = endpoint({
  summary: 'Create a new signing secret, shown only once; events are signed with both secrets until the previous one expires',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { endpoint: 'wh' },
  body: T.Object(
    {
      previous_valid_hours: T.Optional(
        T.Integer({
          minimum: 0,
          maximum: previousHoursMax,
          description: `${previousHoursUsual} by default; 0 if the previous secret was leaked`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: T.Object({ secret: T.String(), previous_valid_until: orNull(T.String()) }),
  status: 201,
  audit: 'webhook_endpoint.rotate_secret',
  async handle({ platform, db, ids, body }) {
    const key = { storeId: ids.store, endpointId: ids.endpoint };
    if ((await lockEndpoint(db, key)) === null) return notFound;
    const hours = body.previous_valid_hours ?? previousHoursUsual;
    const now = realNow();
    const valid = await listSecrets(db, key, now);
    if (valid.length >= secretsMax && hours > 0) {
      const until = valid.at(-1)?.endsAt ?? now;
      return refuse('limit_reached', apiMessage('secrets_api.two_secrets_valid_until', { until: isoTime(until) }));
    }
    const endsAt = new Date(now.getTime() + hours * hourMs);
    await endSecrets(db, key, { now, endsAt });
    return {
      secret: await createSecret(db, platform.secrets, key),
      previous_valid_until: hours === 0 ? null : isoTime(endsAt),
    };
  },
});
