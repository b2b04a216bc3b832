import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readPublicId, type Id } from '../core/ids.ts';
import { minuteMs, realNow } from '../core/time.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Platform } from '../runtime/platform.ts';
import { appOf } from './connection.ts';
import { findConnection, findStoreOfShop, saveRejection, saveUninstallReport, type ShopifyConnection } from './connections-sql.ts';
import { wakeHandler } from './handle-orders.ts';
import { field, listIn, numericId, parseWebhook, textIn } from './json.ts';
import { requestOrder, deleteOrder } from './orders-sql.ts';
import { privacyPath, webhooksPath } from './paths.ts';
import { readShop } from './shop-name.ts';
import { isSignedWebhook } from './signatures.ts';

const rejectionsEveryMs = minuteMs;
/** The most orders in one request of Shopify to delete the data of a customer. */
const redactedOrdersMax = 1_000;

type Answer = { readonly status: 200 | 400 | 401 | 404; readonly reason: string; readonly message: string };
const answer = (status: Answer['status'], reason: string, message: string): Answer => ({ status, reason, message });
const stored = answer(200, 'taken', apiMessage('shopify_orders.webhook_stored'));
const nothingStored = answer(200, 'taken', apiMessage('shopify_orders.nothing_stored'));
const ignored = answer(200, 'ignored', apiMessage('shopify_orders.topic_not_used'));
const notConnected = answer(404, 'not_found', apiMessage('shopify_orders.not_connected'));
const unreadable = answer(400, 'invalid_request', apiMessage('shopify_orders.unreadable'));
const wrongSignature = answer(401, 'bad_signature', apiMessage('shopify_orders.wrong_signature'));

/**
 * Receives the webhooks of a store's shop. A webhook only names an order, which the queue reads: it is stored before it is acknowledged,
 * and if it cannot be stored, Shopify gets 503 and delivers it again.
 */
export function registerShopifyWebhooks(app: FastifyInstance, platform: Platform): void {
  app.post<{ Params: { readonly store: string } }>(webhooksPath(':store'), async (request, reply) =>
    send(reply, await receive(platform, request)),
  );
  app.post(privacyPath, async (request, reply) => send(reply, await receivePrivacyRequest(platform, request)));
}

const send = (reply: FastifyReply, { status, reason, message }: Answer): FastifyReply =>
  reply.status(status).send({ ok: status === 200, reason, message });

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

async function receive(platform: Platform, request: FastifyRequest<{ Params: { readonly store: string } }>): Promise<Answer> {
  const storeId = readPublicId('store', request.params.store);
  const connection = storeId === null ? null : await findConnection(platform.database, storeId);
  const app = connection === null ? null : appOf(platform, connection);
  if (connection === null || app === null) return notConnected;
  const [bytes, now] = [bytesOf(request), realNow()];
  if (!isSignedWebhook(bytes, headerOf(request, 'x-shopify-hmac-sha256'), app.clientSecret))
    return reject(platform, connection, { now, answer: wrongSignature });
  // All shops of an app share its secret, and the header is not signed. It catches a wrong address, not an attack.
  if (readShop(headerOf(request, 'x-shopify-shop-domain')) !== connection.shop)
    return reject(platform, connection, { now, answer: answer(401, 'bad_signature', apiMessage('shopify_orders.other_shop')) });
  return store(platform, connection, { topic: headerOf(request, 'x-shopify-topic'), json: parseWebhook(bytes), now });
}

type Rejection = { readonly now: Date; readonly answer: Answer };

async function reject({ database }: Platform, { storeId }: ShopifyConnection, { now, answer: given }: Rejection): Promise<Answer> {
  await saveRejection(database, { storeId, at: now, why: given.message, unlessAfter: new Date(now.getTime() - rejectionsEveryMs) });
  return given;
}

type Webhook = { readonly topic: string; readonly json: unknown; readonly now: Date };

/** Where each topic names its order. */
const orderFields: Readonly<Record<string, string>> = {
  'orders/paid': 'id',
  'orders/cancelled': 'id',
  'refunds/create': 'order_id',
};

async function store(platform: Platform, connection: ShopifyConnection, { topic, json, now }: Webhook): Promise<Answer> {
  const { storeId, shop } = connection;
  if (topic === 'app/uninstalled') {
    if (textIn(json, 'myshopify_domain') !== shop) return reject(platform, connection, { now, answer: unreadable });
    return checkUninstall(platform, storeId, now);
  }
  const orderField = Object.hasOwn(orderFields, topic) ? orderFields[topic] : undefined;
  if (orderField === undefined) return ignored;
  const orderName = numericId(field(json, orderField));
  if (orderName === null) return reject(platform, connection, { now, answer: unreadable });
  const requested = { storeId, orderName, checkoutToken: checkoutTokenIn(json), requestedBy: topic, unlessRequestedSince: null, now };
  await platform.database.transaction(async (tx) => {
    await requestOrder(tx, requested);
    await wakeHandler(tx, storeId);
  });
  return stored;
}

export const isCheckoutToken = (text: string): boolean => /^[A-Za-z0-9_-]{16,100}$/.test(text);

function checkoutTokenIn(json: unknown): string | null {
  const token = textIn(json, 'checkout_token');
  return token !== null && isCheckoutToken(token) ? token : null;
}

/** The queue asks Shopify whether the app is still installed. */
async function checkUninstall({ database }: Platform, storeId: Id<'store'>, now: Date): Promise<Answer> {
  await database.transaction(async (tx) => {
    await saveUninstallReport(tx, storeId, now);
    await wakeHandler(tx, storeId);
  });
  return stored;
}

/**
 * The webhooks that Shopify requires of each public app. The service stores no data of a shop's customers: only which orders were
 * reported, with their clicks. That is deleted on request, and everything else of the shop when it is disconnected.
 */
async function receivePrivacyRequest(platform: Platform, request: FastifyRequest): Promise<Answer> {
  const { config, database, log } = platform;
  const bytes = bytesOf(request);
  if (config.shopify === null) return notConnected;
  if (!isSignedWebhook(bytes, headerOf(request, 'x-shopify-hmac-sha256'), config.shopify.clientSecret)) return wrongSignature;
  const json = parseWebhook(bytes);
  const shop = readShop(textIn(json, 'shop_domain') ?? '');
  if (shop === null) return unreadable;
  const topic = headerOf(request, 'x-shopify-topic');
  const storeId = await findStoreOfShop(database, shop);
  if (storeId === null || topic === 'customers/data_request') {
    log.info({ shop, topic }, 'Shopify requested personal data, of which none is stored');
    return nothingStored;
  }
  if (topic === 'shop/redact') return checkUninstall(platform, storeId, realNow());
  if (topic !== 'customers/redact') return ignored;
  const orders = listIn(json, 'orders_to_redact').flatMap((order) => numericId(order) ?? []);
  await database.transaction(async (tx) => {
    for (const orderName of orders.slice(0, redactedOrdersMax)) await deleteOrder(tx, storeId, orderName);
  });
  return stored;
}
