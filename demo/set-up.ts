import { plan } from './products.ts';

/** The settings that a shop needs to report to the service. */
export type ShopSettings = {
  readonly serviceUrl: string;
  readonly trackingKey: string;
  readonly postbackKey: string;
};

export type StoreSetUp = ShopSettings & { readonly storeId: string; readonly programId: string; readonly linkUrl: string };

type SetUpOptions = {
  readonly serviceUrl: string;
  /** The shop's address; its links lead there. */
  readonly shopUrl: string;
  readonly merchant: { readonly email: string; readonly password: string };
  readonly creatorId: string;
};

/**
 * Creates a store for the shop as its merchant would on the dashboard: signed in, and only through the management API. The test link, the
 * test order, and its refund precede the program, because a program can be published only after a test order was verified.
 */
export async function setUpStore({ serviceUrl, shopUrl, merchant, creatorId }: SetUpOptions): Promise<StoreSetUp> {
  const api = await signedIn(serviceUrl, merchant);
  const store = await api('POST', '/stores', { name: 'Kettle & Leaf', site_url: shopUrl });
  const path = `/stores/${text(store, 'id')}`;
  await api('PUT', `${path}/payment-method`, { sandbox: 'ok' });
  const postbackKey = text(await api('POST', `${path}/postback-keys`), 'key');
  const settings = { serviceUrl, trackingKey: text(store, 'tracking_key'), postbackKey };
  await sendTestOrder(api, path, settings);

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

/** Must be called after the shop serves its pages: the service fetches the landing page and looks for the script tag in it. */
export async function checkShopPage({
  serviceUrl,
  merchant,
  storeId,
}: Pick<SetUpOptions, 'serviceUrl' | 'merchant'> & { readonly storeId: string }) {
  const api = await signedIn(serviceUrl, merchant);
  await api('POST', `/stores/${storeId}/integration/check-page`, {});
}

/** A headless browser identifies itself, and would count as a robot. */
const browserUserAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** What a developer of the shop does once: open a test link, place an order with its click, and refund that order. None of it earns. */
async function sendTestOrder(api: Api, path: string, { serviceUrl, trackingKey, postbackKey }: ShopSettings): Promise<void> {
  await api('POST', `${path}/test-links`, {});
  // The link contains the service's public address, which this machine may not reach.
  const { pathname } = new URL(openUrlIn(await api('GET', `${path}/test-links`)));
  const opened = await fetch(`${serviceUrl}${pathname}`, { headers: { 'user-agent': browserUserAgent }, redirect: 'manual' });
  const landing = new URL(opened.headers.get('location') ?? '', serviceUrl);
  const post = async (operation: string, body: object): Promise<void> => {
    const response = await fetch(`${serviceUrl}/api/partner-network/postbacks/${trackingKey}/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${postbackKey}` },
      body: JSON.stringify({ order_id: 'test-1', ...body }),
    });
    if (!response.ok) throw new Error(`the test of ${operation} was answered ${response.status}: ${await response.text()}`);
  };
  await post('conversions', {
    click_id: landing.searchParams.get('rm_click'),
    currency: 'USD',
    order_subtotal_cents: 1_850,
    occurred_at: new Date().toISOString(),
    test: true,
  });
  await post('reversals', { reason: 'test' });
}

function openUrlIn(links: unknown): string {
  const data: unknown = typeof links === 'object' && links !== null ? Reflect.get(links, 'data') : undefined;
  return text(Array.isArray(data) ? data[0] : undefined, 'open_url');
}

function text(answer: unknown, field: string): string {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, field) : undefined;
  if (typeof value !== 'string') throw new Error(`the service answered without ${field}`);
  return value;
}
