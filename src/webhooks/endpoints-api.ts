import { Type as T } from 'typebox';
import { lockStore } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, type Refusal, refuse } from '../http/responses.ts';
import { newId } from '../core/ids.ts';
import type { Config } from '../core/config.ts';
import { realNow } from '../core/time.ts';
import { endWaiting } from './deliveries-sql.ts';
import { stopCollectingIfUnused } from './deliver-webhooks.ts';
import { requestedEndpointFields, endpointFields, showEndpoint } from './endpoint-json.ts';
import { readEndpointUrl } from './endpoint-url.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import { changeEndpoint, countEndpoints, insertEndpoint, listEndpoints, lockEndpoint, removeEndpoint } from './endpoints-sql.ts';
import { startCollecting } from './collect-events.ts';
import { createSecret } from './signatures.ts';
import { namedObject } from '../http/fields.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const endpointsMax = 10;

const endpointJson = namedObject('WebhookEndpoint', endpointFields);

export const createWebhookEndpoint = endpoint({
  summary: 'Create a webhook endpoint; its secret is shown only once',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  body: T.Object(
    {
      url: requestedEndpointFields.url,
      events: requestedEndpointFields.events,
      description: T.Optional(requestedEndpointFields.description),
    },
    { additionalProperties: false },
  ),
  reply: namedObject('CreatedWebhookEndpoint', {
    ...endpointFields,
    secret: T.String({ description: 'The secret that events are signed with' }),
  }),
  status: 201,
  audit: 'webhook_endpoint.create',
  async handle({ platform, db, ids, body, now }) {
    const url = urlIn(body, platform.config);
    if (isRefusal(url)) return url;
    await lockStore(db, ids.store);
    if ((await countEndpoints(db, ids.store)) >= endpointsMax)
      return refuse('limit_reached', apiMessage('endpoints_api.store_has_at_most_webhook', { endpointsMax }));
    const key = { storeId: ids.store, endpointId: newId<'wh'>(now) };
    const made = { ...key, url, description: body.description ?? null, events: body.events, createdAt: now };
    const kept = await insertEndpoint(db, made);
    await startCollecting(db, ids.store, now);
    return { ...showEndpoint(kept), secret: await createSecret(db, platform.secrets, key) };
  },
});

export const listWebhookEndpoints = listEndpoint({
  summary: 'List the webhook endpoints',
  access: { allow: 'store', permission: 'store:read' },
  item: endpointJson,
  rows: ({ db, ids }, page) => listEndpoints(db, ids.store, page),
  renderer: () => showEndpoint,
  key: ({ endpointId }) => [endpointId],
});

export const changeWebhookEndpoint = endpoint({
  summary: 'Change the URL or the events of an endpoint, or disable or enable it; applies to future events',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { endpoint: 'wh' },
  body: T.Object(
    {
      url: T.Optional(requestedEndpointFields.url),
      events: T.Optional(requestedEndpointFields.events),
      description: T.Optional(requestedEndpointFields.description),
      is_enabled: T.Optional(T.Boolean()),
    },
    { additionalProperties: false },
  ),
  reply: endpointJson,
  audit: 'webhook_endpoint.change',
  async handle({ platform, db, ids, body, now }) {
    const key = { storeId: ids.store, endpointId: ids.endpoint };
    // Locks the store first, as adding an endpoint does, so that the last endpoint is determined by one transaction at a time.
    await lockStore(db, ids.store);
    const found = await lockEndpoint(db, key);
    if (found === null) return notFound;
    const url = body.url === undefined ? found.url : urlIn({ url: body.url }, platform.config);
    if (isRefusal(url)) return url;
    const isEnabled = body.is_enabled ?? found.disabledAt === null;
    const changed = await changeEndpoint(db, key, {
      url,
      description: body.description === undefined ? found.description : body.description,
      ...listening(found, body, now),
      ...(isEnabled ? on(found) : off(found, now)),
    });
    if (isEnabled) await startCollecting(db, ids.store, now);
    else await leaveAlone(db, found);
    return showEndpoint(changed);
  },
});

type Change = { readonly events?: readonly string[]; readonly is_enabled?: boolean };

/** Events before the subscription are not sent. A new type leaves the start of the others unchanged. */
function listening(found: WebhookEndpoint, { events = found.events, is_enabled: isEnabled }: Change, now: Date) {
  if (isEnabled === true && found.disabledAt !== null) return { events, listensFrom: now, addedFrom: {} };
  const added = events.flatMap((type) => {
    const from = found.events.includes(type) ? found.addedFrom[type] : now.toISOString();
    return from === undefined ? [] : [[type, from] as const];
  });
  return { events, listensFrom: found.listensFrom, addedFrom: Object.fromEntries(added) };
}

const on = ({ disabledAt, failingSince }: WebhookEndpoint) => ({
  failingSince: disabledAt === null ? failingSince : null,
  disabledAt: null,
  disabledWhy: null,
});
const off = ({ failingSince, disabledAt, disabledWhy }: WebhookEndpoint, now: Date) => ({
  failingSince,
  disabledAt: disabledAt ?? now,
  disabledWhy: disabledWhy ?? ('by_hand' as const),
});

export const deleteWebhookEndpoint = endpoint({
  summary: 'Delete a webhook endpoint',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { endpoint: 'wh' },
  status: 204,
  audit: 'webhook_endpoint.delete',
  async handle({ db, ids, now }) {
    const key = { storeId: ids.store, endpointId: ids.endpoint };
    await lockStore(db, ids.store);
    const found = await lockEndpoint(db, key);
    if (found === null) return notFound;
    await removeEndpoint(db, key, now);
    await leaveAlone(db, found);
    return null;
  },
});

async function leaveAlone(db: Queryable, found: WebhookEndpoint): Promise<void> {
  await endWaiting(db, found, realNow());
  await stopCollectingIfUnused(db, found.storeId);
}

function urlIn({ url }: { readonly url: string }, { outgoingAllow }: Config): string | Refusal {
  const read = readEndpointUrl(url, outgoingAllow);
  if (read.is === 'good') return read.href;
  return refuse('unprocessable', apiMessage('endpoints_api.endpoint_url_invalid_see_errors'), [{ field: 'url', message: read.message }]);
}
