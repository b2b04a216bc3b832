import { plan } from './products.ts';

/** What a shop needs to know of the service that it reports to. */
export type ShopSettings = {
  readonly serviceUrl: string;
  readonly trackingKey: string;
  readonly postbackKey: string;
};

export type SetUp = ShopSettings & { readonly storeId: string; readonly programId: string; readonly linkUrl: string };

type Asked = {
  readonly serviceUrl: string;
  /** Where the shop is; its links lead there. */
  readonly shopUrl: string;
  readonly merchant: { readonly email: string; readonly password: string };
  readonly creatorId: string;
};

/**
 * Makes a store for the shop, as its merchant would on the dashboard: signed in, and by nothing but the management API. It ends with a
 * test order, because tracking is on only when one was seen.
 */
export async function setUpStore({ serviceUrl, shopUrl, merchant, creatorId }: Asked): Promise<SetUp> {
  const api = await signedIn(serviceUrl, merchant);
  const store = await api('POST', '/stores', { name: 'Kettle & Leaf', site_url: shopUrl });
  const path = `/stores/${text(store, 'id')}`;
  await api('PUT', `${path}/payment-method`, { sandbox: 'ok' });
  const postbackKey = text(await api('POST', `${path}/postback-keys`), 'key');
  const settings = { serviceUrl, trackingKey: text(store, 'tracking_key'), postbackKey };
  await proveTracking(api, path, settings);

  const program = await api('POST', `${path}/programs`, { name: 'Friends of Kettle & Leaf', landing_url: `${shopUrl}/`, hold_days: 0 });
  const programPath = `${path}/programs/${text(program, 'id')}`;
  await api('POST', `${programPath}/terms`, {
    order_rules: [{ basis_points: 1_000 }],
    subscription_rules: [{ product_id: plan.productId, price_id: plan.priceId, basis_points: 2_000, max_invoices: 12 }],
  });
  await api('POST', `${programPath}/publish`);
  await api('POST', `${programPath}/members`, { creator_id: creatorId });
  const link = await api('POST', `${programPath}/links`, { creator_id: creatorId });
  return { ...settings, storeId: text(store, 'id'), programId: text(program, 'id'), linkUrl: text(link, 'url') };
}

type Api = (method: string, path: string, body?: object) => Promise<unknown>;

async function signedIn(serviceUrl: string, merchant: object): Promise<Api> {
  let cookie = '';
  const api: Api = async (method, path, body) => {
    const response = await fetch(`${serviceUrl}/api/v1${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer}`);
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return answer === '' ? null : JSON.parse(answer);
  };
  await api('POST', '/session', merchant);
  return api;
}

/** A test link gives a click that earns nobody anything; an order with it shows that orders arrive. */
async function proveTracking(api: Api, path: string, { serviceUrl, trackingKey, postbackKey }: ShopSettings): Promise<void> {
  const link = await api('POST', `${path}/test-links`, {});
  const response = await fetch(`${serviceUrl}/api/partner-network/postbacks/${trackingKey}/conversions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${postbackKey}` },
    body: JSON.stringify({
      order_id: 'test-1',
      click_id: text(link, 'click_id'),
      currency: 'USD',
      order_subtotal_cents: 1_850,
      occurred_at: new Date().toISOString(),
      test: true,
    }),
  });
  if (!response.ok) throw new Error(`the test order was answered ${response.status}: ${await response.text()}`);
}

function text(answer: unknown, field: string): string {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, field) : undefined;
  if (typeof value !== 'string') throw new Error(`the service answered without ${field}`);
  return value;
}
