import { Type as T } from 'typebox';
import { stripeEventTypes } from '../../sdk/src/stripe.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { newId, publicId, type Id } from '../core/ids.ts';
import { hourMs, plusDays, realNow } from '../core/time.ts';
import { lockStore } from '../merchants/stores-sql.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Platform } from '../runtime/platform.ts';
import { openSigningSecrets, sealApiKey, sealSigningSecret } from './connection.ts';
import { deleteConnection, findConnection, lockConnection, saveConnection, type StripeConnection } from './connections-sql.ts';
import { decideHealth, healthChecks } from './decide-health.ts';
import { countEvents, findReadFailure, retryEventsWithReasonLike } from './events-sql.ts';
import { explainReason } from './explain-reason.ts';
import { wakeHandler } from './handle-events.ts';
import { stripeEventsPath } from './receive-events.ts';

const previousHoursUsual = 24;
const previousHoursMax = 72;
const countMax = 1_000;
/** An old failure says nothing about the connection as it is now. */
const failedDays = 7;
/** The reasons of events that fail because Stripe's data cannot be read. */
const readFailurePrefix = 'stripe_';

const connectionJson = namedObject('StripeConnection', {
  is_connected: T.Boolean(),
  endpoint_url: T.String({ description: 'The URL of the webhook endpoint to create in Stripe' }),
  event_types: T.Array(T.String(), { description: 'The events that the endpoint needs' }),
  mode: T.Enum(['live', 'test'], { description: "Stripe's mode. A live service reads live payments, and a sandbox reads test payments." }),
  connected_at: orNull(T.String()),
  signing_secret_last4: orNull(T.String()),
  previous_secret_valid_until: orNull(T.String({ description: 'While a secret is rotated, both are accepted' })),
  api_key_last4: orNull(T.String({ description: 'null: promotion codes and subscriptions cannot be read' })),
  last_event_at: orNull(T.String()),
  waiting_events: T.Integer({ description: `At most ${countMax}` }),
  failed_events: T.Integer({ description: `Of the last ${failedDays} days, at most ${countMax}` }),
  health: T.Array(
    T.Object({
      check: T.Enum([...healthChecks]),
      is_ok: T.Boolean(),
      message: T.String({ description: 'What was found, and what to do' }),
    }),
  ),
});

export const getStripeConnection = endpoint({
  summary: "Get the connection to the store's Stripe account, with the URL for Stripe and the health of the connection",
  access: { allow: 'store', permission: 'store:read' },
  reply: connectionJson,
  handle: ({ platform, db, ids }) => showConnection(platform, db, ids.store),
});

async function showConnection(platform: Platform, db: Queryable, storeId: Id<'store'>) {
  const { config } = platform;
  const now = realNow();
  const common = {
    endpoint_url: `${config.baseUrl}${stripeEventsPath(publicId('store', storeId))}`,
    event_types: [...stripeEventTypes],
    mode: config.mode === 'live' ? ('live' as const) : ('test' as const),
  };
  const connection = await findConnection(db, storeId);
  if (connection === null) return { is_connected: false, ...common, ...nothingShown };
  const { lastAt, waiting, failed, oldestWaitingAt } = await countEvents(db, storeId, {
    failedSince: plusDays(now, -failedDays),
    countMax,
  });
  const { rejectedAt, rejectedWhy, previousSecretUntil, apiKeyLast4 } = connection;
  const checks = decideHealth({
    now,
    hasApiKey: apiKeyLast4 !== null,
    lastEventAt: lastAt,
    rejected: rejectedAt === null ? null : { at: rejectedAt, why: rejectedWhy ?? '' },
    oldestWaitingAt,
    readFailure: explainReason(await findReadFailure(db, storeId, readFailurePrefix), null),
    failed,
  });
  return {
    is_connected: true,
    ...common,
    connected_at: isoTime(connection.connectedAt),
    signing_secret_last4: connection.signingSecretLast4,
    previous_secret_valid_until: previousSecretUntil !== null && previousSecretUntil > now ? isoTime(previousSecretUntil) : null,
    api_key_last4: apiKeyLast4,
    last_event_at: isoTimeOrNull(lastAt),
    waiting_events: waiting,
    failed_events: failed,
    health: checks.map(({ check, isOk, message }) => ({ check, is_ok: isOk, message })),
  };
}

const nothingShown = {
  connected_at: null,
  signing_secret_last4: null,
  previous_secret_valid_until: null,
  api_key_last4: null,
  last_event_at: null,
  waiting_events: 0,
  failed_events: 0,
  health: [],
};

export const saveStripeConnection = endpoint({
  summary: "Connect the store's Stripe account, or change its signing secret or API key; neither is ever returned",
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  body: T.Object(
    {
      signing_secret: T.Optional(
        T.String({
          maxLength: 300,
          pattern: String.raw`^whsec_[\w+/=-]{8,}$`,
          description: 'Of the webhook endpoint in Stripe. Required to connect.',
        }),
      ),
      api_key: T.Optional(
        orNull(
          T.String({
            maxLength: 300,
            pattern: String.raw`^rk_(live|test)_\w{8,}$`,
            description: 'A restricted key that can read; null removes it',
          }),
        ),
      ),
      previous_valid_hours: T.Optional(
        T.Integer({
          minimum: 0,
          maximum: previousHoursMax,
          description: `How long the previous signing secret is still accepted; ${previousHoursUsual} by default; 0 if it was leaked`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: connectionJson,
  audit: 'stripe_connection.save',
  async handle({ platform, db, ids, body }) {
    await lockStore(db, ids.store);
    const found = await lockConnection(db, ids.store);
    const now = realNow();
    const secret = secretColumns(platform, { storeId: ids.store, found, now }, body);
    if (isRefusal(secret)) return secret;
    const key = keyColumns(platform, { storeId: ids.store, found, now }, body);
    if (isRefusal(key)) return key;
    const connectedAt = found?.connectedAt ?? now;
    const postbackKeyId = found?.postbackKeyId ?? newId<'pbkey'>(now);
    await saveConnection(db, { storeId: ids.store, postbackKeyId, connectedAt, ...secret, ...key });
    if (body.api_key !== undefined && (await retryEventsWithReasonLike(db, ids.store, readFailurePrefix, now)) > 0)
      await wakeHandler(db, ids.store);
    return showConnection(platform, db, ids.store);
  },
});

type Change = { readonly signing_secret?: string; readonly api_key?: string | null; readonly previous_valid_hours?: number };
type Changing = { readonly storeId: Id<'store'>; readonly found: StripeConnection | null; readonly now: Date };
type SecretColumns = Pick<StripeConnection, 'signingSecretSealed' | 'signingSecretLast4' | 'previousSecretSealed' | 'previousSecretUntil'>;

/** During a rotation Stripe signs with the old secret, the new one, or both, as the merchant chose there. */
function secretColumns({ secrets }: Platform, { storeId, found, now }: Changing, body: Change): SecretColumns | Refusal {
  const { signing_secret: given, previous_valid_hours: hours = previousHoursUsual } = body;
  const isSame = found !== null && (given === undefined || openSigningSecrets(secrets, found, now)[0] === given);
  if (isSame) return found;
  if (given === undefined) {
    const message = apiMessage('stripe_orders.signing_secret_required');
    return refuse('unprocessable', message, [{ field: 'signing_secret', message }]);
  }
  const isKept = found !== null && hours > 0;
  return {
    signingSecretSealed: sealSigningSecret(secrets, storeId, given),
    signingSecretLast4: given.slice(-4),
    previousSecretSealed: isKept ? found.signingSecretSealed : null,
    previousSecretUntil: isKept ? new Date(now.getTime() + hours * hourMs) : null,
  };
}

type KeyColumns = Pick<StripeConnection, 'apiKeySealed' | 'apiKeyLast4'>;

function keyColumns({ secrets, config }: Platform, { storeId, found }: Changing, { api_key: given }: Change): KeyColumns | Refusal {
  if (given === undefined) return { apiKeySealed: found?.apiKeySealed ?? null, apiKeyLast4: found?.apiKeyLast4 ?? null };
  if (given === null) return { apiKeySealed: null, apiKeyLast4: null };
  const mode = config.mode === 'live' ? 'live' : 'test';
  if (!given.startsWith(`rk_${mode}_`)) {
    const message = apiMessage('stripe_orders.key_of_other_mode', { mode: mode === 'live' ? 'live' : 'other' });
    return refuse('unprocessable', message, [{ field: 'api_key', message }]);
  }
  return { apiKeySealed: sealApiKey(secrets, storeId, given), apiKeyLast4: given.slice(-4) };
}

export const deleteStripeConnection = endpoint({
  summary: 'Disconnect the Stripe account: deletes its secrets, its events, and what was stored of its payments',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  status: 204,
  audit: 'stripe_connection.delete',
  async handle({ db, ids }) {
    await lockStore(db, ids.store);
    if ((await lockConnection(db, ids.store)) === null) return notFound;
    await deleteConnection(db, ids.store);
    return null;
  },
});
