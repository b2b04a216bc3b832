import { Type as T } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { notFound, refuse } from '../http/responses.ts';
import { publicId, type Id } from '../core/ids.ts';
import { plusDays, realNow } from '../core/time.ts';
import { lockStore } from '../merchants/stores-sql.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Platform } from '../runtime/platform.ts';
import { tokenOfOwnApp, validToken } from './access-token.ts';
import { connectShop, refusalOf } from './connect-shop.ts';
import { deleteConnection, findConnection, lockConnection } from './connections-sql.ts';
import { decideHealth, healthChecks } from './decide-health.ts';
import { explainReason } from './explain-reason.ts';
import { wakeHandler } from './handle-orders.ts';
import { countOrders, findReadFailure } from './orders-sql.ts';
import { callbackPath, clicksPath, privacyPath, webhooksPath } from './paths.ts';
import { setUp } from './set-up.ts';
import { readShop } from './shop-name.ts';
import { removeWebhooks, scopes, switchPixelOff, uninstallApp } from './shop-settings.ts';

const countMax = 1_000;
/** An old failure says nothing about the connection as it is now. */
const failedDays = 7;
/** The reasons of orders that fail because the shop cannot be read. */
const readFailurePrefix = 'shopify_';

export const connectionJson = namedObject('ShopifyConnection', {
  is_connected: T.Boolean(),
  can_install: T.Boolean({ description: 'Whether this installation has a Shopify app. Otherwise an app of your own is connected.' }),
  shop: orNull(T.String({ description: 'Such as a-store.myshopify.com' })),
  app: orNull(T.Enum(['installation', 'own'])),
  scopes: T.Array(T.String(), { description: 'The access scopes that the app needs' }),
  webhooks_url: T.String({ description: 'Where the shop delivers its webhooks. The service subscribes to them itself.' }),
  clicks_url: T.String({ description: 'Where the web pixel posts clicks' }),
  callback_url: T.String({ description: 'The allowed redirection URL of an app' }),
  privacy_url: T.String({ description: 'The URL of the three privacy webhooks of an app' }),
  connected_at: orNull(T.String()),
  last_webhook_at: orNull(T.String()),
  compared_until: orNull(T.String({ description: 'Orders that changed until then were compared with what was reported' })),
  waiting_orders: T.Integer({ description: `At most ${countMax}` }),
  failed_orders: T.Integer({ description: `Of the last ${failedDays} days, at most ${countMax}` }),
  health: T.Array(
    T.Object({
      check: T.Enum([...healthChecks]),
      is_ok: T.Boolean(),
      message: T.String({ description: 'What was found, and what to do' }),
    }),
  ),
});

export const getShopifyConnection = endpoint({
  summary: "Get the connection to the store's Shopify shop, with its health",
  access: { allow: 'store', permission: 'store:read' },
  reply: connectionJson,
  handle: ({ platform, db, ids }) => showConnection(platform, db, ids.store),
});

export async function showConnection({ config }: Platform, db: Queryable, storeId: Id<'store'>) {
  const store = publicId('store', storeId);
  const now = realNow();
  const common = {
    can_install: config.shopify !== null,
    scopes: [...scopes],
    webhooks_url: `${config.baseUrl}${webhooksPath(store)}`,
    clicks_url: `${config.baseUrl}${clicksPath(store)}`,
    callback_url: `${config.baseUrl}${callbackPath}`,
    privacy_url: `${config.baseUrl}${privacyPath}`,
  };
  const connection = await findConnection(db, storeId);
  if (connection === null) return { is_connected: false, ...common, ...nothingShown };
  const { lastAt, waiting, failed, oldestWaitingAt } = await countOrders(db, storeId, {
    failedSince: plusDays(now, -failedDays),
    countMax,
  });
  const { rejectedAt, rejectedWhy, webhooksAt, webhooksProblem, pixelProblem, comparedUntil, compareProblem } = connection;
  const checks = decideHealth({
    now,
    hasWebhooks: webhooksAt !== null,
    webhooksProblem,
    pixelProblem,
    lastWebhookAt: lastAt,
    rejected: rejectedAt === null ? null : { at: rejectedAt, why: rejectedWhy ?? '' },
    readFailure: explainReason(await findReadFailure(db, storeId, readFailurePrefix), null),
    comparedUntil,
    compareProblem,
    oldestWaitingAt,
    failed,
  });
  return {
    is_connected: true,
    ...common,
    shop: connection.shop,
    app: connection.clientId === null ? ('installation' as const) : ('own' as const),
    connected_at: isoTime(connection.connectedAt),
    last_webhook_at: isoTimeOrNull(lastAt),
    compared_until: isoTime(comparedUntil),
    waiting_orders: waiting,
    failed_orders: failed,
    health: checks.map(({ check, isOk, message }) => ({ check, is_ok: isOk, message })),
  };
}

const nothingShown = {
  shop: null,
  app: null,
  connected_at: null,
  last_webhook_at: null,
  compared_until: null,
  waiting_orders: 0,
  failed_orders: 0,
  health: [],
};

export const shopField = T.String({ maxLength: 80, description: 'The permanent host of the shop, such as a-store.myshopify.com' });
export const notAShop = () => {
  const message = apiMessage('shopify_orders.not_a_shop');
  return refuse('unprocessable', message, [{ field: 'shop', message }]);
};

export const connectShopifyWithOwnApp = endpoint({
  summary: "Connect the store's Shopify shop with an app of your own organization; its secret is never returned",
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  body: T.Object(
    {
      shop: shopField,
      client_id: T.String({ minLength: 8, maxLength: 200, pattern: String.raw`^[\w-]+$`, description: 'The client ID of the app' }),
      client_secret: T.String({ minLength: 8, maxLength: 200, pattern: String.raw`^[\w-]+$`, description: 'The client secret of the app' }),
    },
    { additionalProperties: false },
  ),
  reply: connectionJson,
  alsoRefuses: ['unprocessable', 'temporarily_unavailable', 'conflict'],
  audit: 'shopify_connection.save',
  async prepare({ platform, body }) {
    const shop = readShop(body.shop);
    if (shop === null) return notAShop();
    const granted = await tokenOfOwnApp(platform, shop, { clientId: body.client_id, clientSecret: body.client_secret });
    return granted.is === 'failed' ? refusalOf(granted) : { shop, token: granted.value };
  },
  async handle({ platform, db, ids, body, prepared: { shop, token } }) {
    const app = { clientId: body.client_id, clientSecret: body.client_secret };
    const refusal = await connectShop(platform, db, { storeId: ids.store, shop, token, ownApp: app });
    return refusal ?? showConnection(platform, db, ids.store);
  },
  afterCommit: ({ platform, ids }) => showWhenSetUp(platform, ids.store),
});

/** Subscribes to webhooks once the connection is stored, so that no webhook arrives before. */
export async function showWhenSetUp(platform: Platform, storeId: Id<'store'>) {
  const connection = await findConnection(platform.database, storeId);
  if (connection !== null && connection.webhooksAt === null) {
    await setUp(platform, connection);
    await wakeHandler(platform.database, storeId);
  }
  return showConnection(platform, platform.database, storeId);
}

export const deleteShopifyConnection = endpoint({
  summary: 'Disconnect the Shopify shop: removes its webhooks and its pixel, and deletes its token and what was stored of its orders',
  access: { allow: 'store', permission: 'integration:write' },
  proof: true,
  liveKeys: 'permitted',
  status: 204,
  audit: 'shopify_connection.delete',
  async prepare({ platform, ids }) {
    const connection = await findConnection(platform.database, ids.store);
    if (connection === null) return notFound;
    const address = `${platform.config.baseUrl}${webhooksPath(publicId('store', ids.store))}`;
    const shop = await validToken(platform, connection);
    // A shop that is closed or has removed the app cannot be reached, and is disconnected all the same.
    if (shop.is === 'failed') return true;
    await removeWebhooks(platform, shop.value, address);
    await switchPixelOff(platform, shop.value);
    if (connection.clientId === null) await uninstallApp(platform, shop.value);
    return true;
  },
  async handle({ db, ids }) {
    await lockStore(db, ids.store);
    const connection = await lockConnection(db, ids.store);
    if (connection === null) return notFound;
    await deleteConnection(db, connection);
    return null;
  },
});
