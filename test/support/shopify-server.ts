import { createServer, type IncomingMessage } from 'node:http';
import { invariant } from '../../src/core/invariant.ts';
import { parseGraphql, select } from './graphql-selection.ts';

/** The version of the Admin API that the service speaks. Shopify answers another shape for another version. */
const version = '2026-07';
type Json = Readonly<Record<string, unknown>>;
type Called = { readonly shop: string; readonly name: string; readonly variables: Json };

export type StandInOrder = Json & { readonly id: string; readonly updatedAt: string };
export type StandInShop = ReturnType<typeof createShop>;

function createShop(name: string) {
  return {
    name,
    orders: new Map<string, StandInOrder>(),
    webhooks: [] as Array<{ id: string; topic: string; uri: string; includeFields: readonly string[] }>,
    discounts: [] as Array<{ id: string; code: string; input: Json }>,
    pixel: null as { id: string; settings: string } | null,
    /** Without the extension an app has no pixel to switch on. */
    hasPixelExtension: true,
    /** The tokens that are valid. */
    tokens: new Set<string>(),
    refreshTokens: new Set<string>(),
    isInstalled: true,
    status: 200,
    scope: 'read_orders,write_discounts,write_pixels,read_customer_events',
    /** Of OAuth: the code that the shop gave. */
    codes: new Set<string>(),
    expiresInSeconds: 3_600,
    /** Runs before an order is returned. */
    beforeOrder: async (): Promise<void> => {},
  };
}

/** Apps that may ask for tokens: the installation's own, and those of merchants. */
export const installationApp = { clientId: 'app-of-the-installation', clientSecret: 'shpss_installationOfTheTests' };
export const ownApp = { clientId: 'app-of-the-merchant', clientSecret: 'shpss_ownOfTheTests' };

/** The Admin API of all shops, each under its name, as far as the service uses it. */
export async function startShopify() {
  const shops = new Map<string, StandInShop>();
  const calls: Called[] = [];
  const counter = { next: 1 };
  const server = createServer((request, response) => {
    void answer({ shops, calls, counter }, request).then(({ status, json }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  return {
    host: `127.0.0.1:${address.port}`,
    calls,
    addShop(name: string): StandInShop {
      const shop = createShop(name);
      shops.set(name, shop);
      return shop;
    },
    close: () => server.close(),
  };
}

type State = { readonly shops: ReadonlyMap<string, StandInShop>; readonly calls: Called[]; readonly counter: { next: number } };
type Answer = { readonly status: number; readonly json: unknown };

async function answer({ shops, calls, counter }: State, request: IncomingMessage): Promise<Answer> {
  const [, name = '', ...rest] = (request.url ?? '/').split('/');
  const shop = shops.get(name);
  const body: unknown = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString('utf8'));
  const isJson = request.headers['content-type'] === 'application/json' && request.method === 'POST';
  if (shop === undefined || !isJson || typeof body !== 'object' || body === null) return { status: 404, json: { errors: 'Not Found' } };
  const path = rest.join('/');
  if (path === 'admin/oauth/access_token') return grant(shop, counter, { ...body });
  if (path !== `admin/api/${version}/graphql.json`) return { status: 404, json: { errors: 'Not Found' } };
  const token = request.headers['x-shopify-access-token'];
  if (typeof token !== 'string' || !shop.tokens.has(token) || !shop.isInstalled)
    return { status: 401, json: { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' } };
  if (shop.status !== 200) return { status: shop.status, json: {} };
  const { query, variables } = body as { query: string; variables: Json };
  const { name: operation, selection } = parseGraphql(query);
  calls.push({ shop: name, name: operation, variables });
  if (selection.has('order')) await shop.beforeOrder();
  try {
    return { status: 200, json: { data: select(resolve(shop, counter, { selection, variables }), selection) } };
  } catch (error) {
    return { status: 200, json: { errors: [{ message: String(error), extensions: { code: 'undefinedField' } }] } };
  }
}

/** The three grants: a confirmed installation, a refresh token, and an app of the shop's own organization. */
function grant(shop: StandInShop, counter: { next: number }, body: Json): Answer {
  const app = [installationApp, ownApp].find(({ clientId }) => clientId === body['client_id']);
  const refused = { status: 400, json: { error: 'invalid_request', error_description: 'The grant is not valid.' } };
  if (app === undefined || app.clientSecret !== body['client_secret'] || !shop.isInstalled) return refused;
  const { code, refresh_token: refresh, grant_type: type } = body;
  const isOwn = type === 'client_credentials' && app === ownApp;
  const isInstall = typeof code === 'string' && shop.codes.delete(code) && body['expiring'] === '1';
  const isRefresh = type === 'refresh_token' && typeof refresh === 'string' && shop.refreshTokens.delete(refresh);
  if (!isOwn && !isInstall && !isRefresh) return refused;
  const number = (counter.next += 1);
  const [token, refreshToken] = [`shpat_${number}OfTheTests`, `shprt_${number}OfTheTests`];
  shop.tokens.clear();
  shop.tokens.add(token);
  if (!isOwn) shop.refreshTokens.add(refreshToken);
  const common = { access_token: token, scope: shop.scope, expires_in: shop.expiresInSeconds };
  return { status: 200, json: isOwn ? common : { ...common, refresh_token: refreshToken, refresh_token_expires_in: 7_776_000 } };
}

type Operation = { readonly selection: ReadonlyMap<string, unknown>; readonly variables: Json };

function resolve(shop: StandInShop, counter: { next: number }, { selection, variables }: Operation): Json {
  const [field = ''] = selection.keys();
  const id = String(variables['id']);
  const number = (counter.next += 1);
  switch (field) {
    case 'shop':
      return { shop: { id: 'gid://shopify/Shop/1' } };
    case 'order':
      return { order: shop.orders.get(id) ?? null };
    case 'orders':
      return { orders: updatedOrders(shop, variables) };
    case 'webhookSubscriptions':
      return { webhookSubscriptions: { nodes: shop.webhooks } };
    case 'webhookSubscriptionCreate': {
      const { uri, includeFields } = variables['webhookSubscription'] as { uri: string; includeFields: readonly string[] };
      if (shop.webhooks.some((one) => one.uri === uri && one.topic === variables['topic']))
        return { [field]: { userErrors: [userError('Address for this topic has already been taken')] } };
      shop.webhooks.push({ id: `gid://shopify/WebhookSubscription/${number}`, topic: String(variables['topic']), uri, includeFields });
      return { webhookSubscriptionCreate: { userErrors: [] } };
    }
    case 'webhookSubscriptionDelete':
      shop.webhooks = shop.webhooks.filter((one) => one.id !== id);
      return { webhookSubscriptionDelete: { userErrors: [] } };
    case 'webPixel':
      if (shop.pixel === null) throw new Error('No web pixel was found for this app.');
      return { webPixel: shop.pixel };
    case 'webPixelCreate':
    case 'webPixelUpdate': {
      if (!shop.hasPixelExtension) return { [field]: { userErrors: [userError('No extension found')], webPixel: null } };
      const { settings } = variables['webPixel'] as { settings: string };
      shop.pixel = { id: 'gid://shopify/WebPixel/1', settings };
      return { [field]: { userErrors: [], webPixel: shop.pixel } };
    }
    case 'webPixelDelete':
      shop.pixel = null;
      return { webPixelDelete: { userErrors: [] } };
    case 'appUninstall':
      shop.isInstalled = false;
      return { appUninstall: { userErrors: [] } };
    case 'discountCodeBasicCreate': {
      const input = variables['basicCodeDiscount'] as Json & { code: string };
      if (shop.discounts.some(({ code }) => code.toLowerCase() === input.code.toLowerCase()))
        return { [field]: { userErrors: [userError('Code must be unique. Please try a different code.')], codeDiscountNode: null } };
      const node = { id: `gid://shopify/DiscountCodeNode/${number}` };
      shop.discounts.push({ ...node, code: input.code, input });
      return { [field]: { userErrors: [], codeDiscountNode: node } };
    }
    default:
      throw new Error(`Field '${field}' doesn't exist on type 'QueryRoot'`);
  }
}

const userError = (message: string) => ({ field: ['input'], message, code: 'INVALID' });

function updatedOrders({ orders }: StandInShop, { first, after, query }: Json) {
  const since = /^updated_at:>='([^']+)'$/.exec(String(query))?.[1];
  if (since === undefined) throw new Error('The search names a time.');
  const found = [...orders.values()]
    .filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since))
    .toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt));
  const start = after === null ? 0 : Number(after);
  const end = start + Number(first);
  return { nodes: found.slice(start, end), pageInfo: { hasNextPage: end < found.length, endCursor: String(end) } };
}
