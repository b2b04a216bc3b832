import { createHmac } from 'node:crypto';
import type { StandInShop } from '../support/shopify-server.ts';
import { ownApp } from '../support/shopify-server.ts';
import type { ApiResponse, Merchant } from '../support/merchant.ts';

export const shopName = 'cora-goods.myshopify.com';

const money = (cents: number) => {
  const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return { shopMoney: { amount } };
};

type Selling = {
  readonly at: Date;
  readonly click?: string;
  readonly lineClick?: string;
  readonly codes?: readonly string[];
  readonly fields?: Readonly<Record<string, unknown>>;
};

let orders = 5_701_000_000_000;

/** An order of 115 USD, with 10 of tax and 5 for shipping, that the shop has and its webhooks name. */
export function sell(shop: StandInShop, { at, click, lineClick, codes = [], fields = {} }: Selling) {
  const id = String((orders += 1));
  const checkoutToken = `c0ffee${id}c0ffee${id}`;
  const gid = `gid://shopify/Order/${id}`;
  const attributes = (key: string, value: string | undefined) => (value === undefined ? [] : [{ key, value }]);
  const change = (changed: Readonly<Record<string, unknown>>) => {
    const before = shop.orders.get(gid) ?? {};
    shop.orders.set(gid, { ...before, ...changed, id: gid, updatedAt: new Date().toISOString() });
  };
  change({
    name: `#${id.slice(-4)}`,
    test: false,
    currencyCode: 'USD',
    displayFinancialStatus: 'PAID',
    processedAt: at.toISOString(),
    cancelledAt: null,
    taxesIncluded: false,
    discountCodes: codes,
    subtotalPriceSet: money(10_000),
    totalTaxSet: money(1_000),
    totalPriceSet: money(11_500),
    customAttributes: attributes('rm_click', click),
    lineItems: { nodes: [{ customAttributes: attributes('_rm_click', lineClick) }, { customAttributes: [] }] },
    shippingLines: { nodes: [{ taxLines: [] }] },
    refunds: [],
    ...fields,
  });
  const payload = orderPayload({ id, at, checkoutToken, click, codes });
  return {
    id,
    checkoutToken,
    change,
    paid: () => ({ topic: 'orders/paid', raw: payload }),
    cancelled: () => ({ topic: 'orders/cancelled', raw: payload }),
    /** Refunds the cents of goods, with 10% of tax. Returns the webhook. */
    refund: (cents: number, { paidBack = cents + cents / 10, isWhole = false, refundedAt = at } = {}) => {
      const number = (orders += 1);
      const refund = {
        id: `gid://shopify/Refund/${number}`,
        createdAt: refundedAt.toISOString(),
        processedAt: refundedAt.toISOString(),
        totalRefundedSet: money(paidBack),
        refundLineItems: { nodes: cents === 0 ? [] : [{ subtotalSet: money(cents), totalTaxSet: money(cents / 10) }] },
        refundShippingLines: { nodes: [] },
      };
      const earlier = (shop.orders.get(gid)?.['refunds'] ?? []) as readonly object[];
      change({ refunds: [...earlier, refund], displayFinancialStatus: isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED' });
      return { topic: 'refunds/create', raw: refundPayload({ id: String(number), orderId: id, at: refundedAt, cents }) };
    },
  };
}

type OrderNames = {
  readonly id: string;
  readonly at: Date;
  readonly checkoutToken: string;
  readonly click: string | undefined;
  readonly codes: readonly string[];
};

/** The shape of Shopify's published example of orders/paid, shortened, with a customer whose data must not be stored. */
const orderPayload = ({ id, at, checkoutToken, click, codes }: OrderNames): string =>
  `{"id":${id},"admin_graphql_api_id":"gid://shopify/Order/${id}","app_id":null,"browser_ip":null,"buyer_accepts_marketing":true,` +
  `"cancel_reason":null,"cancelled_at":null,"cart_token":null,"checkout_id":null,"checkout_token":${JSON.stringify(checkoutToken)},` +
  `"client_details":null,"closed_at":null,"company":null,"confirmation_number":null,"confirmed":false,"contact_email":"jon@example.com",` +
  `"created_at":${JSON.stringify(at.toISOString())},"currency":"USD","current_subtotal_price":"100.00","current_total_price":"115.00",` +
  `"customer_locale":"en","discount_codes":${JSON.stringify(codes.map((code) => ({ code, amount: '5.00', type: 'percentage' })))},` +
  `"email":"jon@example.com","financial_status":"paid","fulfillment_status":"pending","name":"#9999","note":null,"note_attributes":` +
  `${JSON.stringify(click === undefined ? [] : [{ name: 'rm_click', value: click }])},"number":234,"order_number":1234,` +
  `"order_status_url":"https://jsmith.myshopify.com/548380009/orders/123456abcd/authenticate?key=abcdefg","payment_gateway_names":` +
  `["visa","bogus"],"phone":null,"presentment_currency":"USD","processed_at":${JSON.stringify(at.toISOString())},"source_name":"web",` +
  `"subtotal_price":"100.00","taxes_included":false,"test":true,"token":"123456abcd","total_price":"115.00","total_tax":"10.00",` +
  `"updated_at":${JSON.stringify(at.toISOString())},"customer":{"id":115310627314723954,"email":"john@example.com","first_name":"John",` +
  `"last_name":"Smith","note":null},"line_items":[{"id":866550311766439020,"price":"100.00","product_id":632910392,"quantity":1,` +
  `"title":"IPod Nano - 8GB","properties":[],"tax_lines":[]}],"refunds":[],"shipping_lines":[{"id":271878346596884015,"price":"5.00"}]}`;

type RefundNames = { readonly id: string; readonly orderId: string; readonly at: Date; readonly cents: number };

/** The shape of Shopify's published example of refunds/create, shortened. */
const refundPayload = ({ id, orderId, at, cents }: RefundNames): string =>
  `{"id":${id},"admin_graphql_api_id":"gid://shopify/Refund/${id}","order_id":${orderId},` +
  `"created_at":${JSON.stringify(at.toISOString())},"note":"Things were damaged","user_id":548380009,` +
  `"processed_at":${JSON.stringify(at.toISOString())},"restock":false,"duties":[],` +
  `"total_duties_set":null,"return":null,"refund_shipping_lines":[],"transactions":[],"order_adjustments":[],"refund_line_items":` +
  `[{"id":487817672276298627,"quantity":1,"restock_type":"no_restock","subtotal":${cents / 100},"total_tax":${cents / 1_000}}]}`;

export type Webhook = { readonly topic: string; readonly raw: string };
type Delivery = { readonly secret?: string; readonly shop?: string; readonly headers?: Readonly<Record<string, string>> };

export const signature = (raw: string, secret: string): string => createHmac('sha256', secret).update(raw).digest('base64');

let deliveries = 0;

/** Delivers a webhook with the headers that Shopify sends. */
export function deliver(
  merchant: Merchant,
  { topic, raw }: Webhook,
  { secret = ownApp.clientSecret, shop = shopName, headers }: Delivery = {},
) {
  return postTo(merchant, `/api/v1/providers/shopify/stores/${merchant.world.store.id}`, {
    raw,
    headers: {
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': shop,
      'x-shopify-api-version': '2026-07',
      'x-shopify-webhook-id': `b54557e4-bdd9-4b37-8a5f-bf7d70bcd${String((deliveries += 1)).padStart(3, '0')}`,
      'x-shopify-hmac-sha256': signature(raw, secret),
      ...headers,
    },
  });
}

type Request = { readonly raw: string; readonly headers: Readonly<Record<string, string>> };

export async function postTo({ service }: Merchant, path: string, { raw, headers }: Request): Promise<number> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: raw,
  });
  await response.text();
  return response.status;
}

/** What the web pixel posts from the page that follows a checkout. */
export const postClick = (merchant: Merchant, checkoutToken: string, clickId: string): Promise<number> =>
  postTo(merchant, `/api/v1/providers/shopify/stores/${merchant.world.store.id}/clicks`, {
    raw: JSON.stringify({ checkout_token: checkoutToken, click_id: clickId }),
    headers: { 'content-type': 'text/plain' },
  });

export const connectOwnApp = ({ api, world }: Merchant, { shop = shopName, secret = ownApp.clientSecret } = {}): Promise<ApiResponse> =>
  api('PUT', `/stores/${world.store.id}/shopify`, { shop, client_id: ownApp.clientId, client_secret: secret });

type ShownOrder = {
  readonly id: string;
  readonly order_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly click_id: string | null;
};

/** Waits until the queue has processed every order that is due. */
export async function processed({ api, world }: Merchant): Promise<readonly ShownOrder[]> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { data } = (await api('GET', `/stores/${world.store.id}/shopify/orders`)).json;
    if (data.every(({ state, reason }: ShownOrder) => state !== 'waiting' || reason !== null)) return data;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the queue processes the orders');
}
