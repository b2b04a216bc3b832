import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { clickFromCookie } from '../sdk/src/click.ts';
import { createOrderBook, type OrderBook } from './order-book.ts';
import { renderPage, orderPage, ordersPage, productsPage, subscriptionPage, type Visit } from './pages.ts';
import { products } from './products.ts';
import type { ShopSettings } from './set-up.ts';

export type Shop<Settings> = { readonly url: string; readonly settings: Settings; readonly stop: () => Promise<void> };

type Options<Settings> = {
  /** 0: any free port. */
  readonly port: number;
  readonly now: () => Date;
  /** The store needs the shop's address, and the shop needs the store's keys, so the shop listens first. */
  readonly connect: (shopUrl: string) => Promise<Settings>;
};

/** A small local shop: it sells, refunds, subscribes, renews and cancels, and reports what a creator referred. */
export async function startShop<Settings extends ShopSettings>({ port, now, connect }: Options<Settings>): Promise<Shop<Settings>> {
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async (_request, response) =>
    void response.writeHead(503, { 'retry-after': '1' }).end('The shop is being set up.');
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`The shop has a bug: ${String(error)}`);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  try {
    const address = server.address();
    const url = `http://localhost:${typeof address === 'object' && address !== null ? address.port : port}`;
    const settings = await connect(url);
    answer = createHandler(createOrderBook(settings, now), settings);
    return { url, settings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type ShopRequest = {
  readonly path: readonly string[];
  readonly visit: Visit;
  readonly clickId: string | null;
  readonly form: URLSearchParams;
};
type ShopResponse =
  | { readonly is: 'page'; readonly title: string; readonly body: string }
  | { readonly is: 'moved'; readonly to: string; readonly cookie?: string }
  | null;

function createHandler(book: OrderBook, { serviceUrl }: ShopSettings) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readRequest(request);
    const answer = request.method === 'POST' ? await change(book, body) : show(book, body);
    if (answer === null) return void response.writeHead(404, html).end(renderPage({ ...body.visit, serviceUrl, ...notFoundPage }));
    if (answer.is === 'page') return void response.writeHead(200, html).end(renderPage({ ...body.visit, serviceUrl, ...answer }));
    const cookie = answer.cookie === undefined ? {} : { 'set-cookie': answer.cookie };
    response.writeHead(303, { location: answer.to, ...cookie }).end();
  };
}

const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
const notFoundPage = { title: 'There is nothing here', body: '<p><a href="/">Back to the shelf</a></p>' };
const formLengthMax = 10_000;

async function readRequest(request: IncomingMessage): Promise<ShopRequest> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > formLengthMax) break;
  }
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  const cookies = request.headers.cookie ?? '';
  const visit: Visit = { isBannerOn: !/\bshop_banner=off\b/.test(cookies), consent: consentIn(cookies) };
  // Without consent the cookie is not read either, although an earlier visit may have left one.
  const mayRead = !visit.isBannerOn || visit.consent === true;
  return {
    path: pathname.split('/').slice(1),
    visit,
    clickId: mayRead ? clickFromCookie(cookies) : null,
    form: new URLSearchParams(body),
  };
}

function consentIn(cookies: string): boolean | null {
  const said = /\bshop_consent=(yes|no)\b/.exec(cookies)?.[1];
  return said === undefined ? null : said === 'yes';
}

function show({ orders, subscriptions }: OrderBook, { path: [kind = '', id] }: ShopRequest): ShopResponse {
  if (kind === '') return { is: 'page', title: 'For people who like tea', body: productsPage() };
  if (kind === 'orders' && id === undefined)
    return { is: 'page', title: 'Orders', body: ordersPage([...orders.values()], [...subscriptions.values()]) };
  const order = kind === 'orders' ? orders.get(id ?? '') : undefined;
  if (order) return { is: 'page', title: `Order ${order.id}`, body: orderPage(order) };
  const subscription = kind === 'subscriptions' ? subscriptions.get(id ?? '') : undefined;
  return subscription ? { is: 'page', title: `Subscription ${subscription.id}`, body: subscriptionPage(subscription) } : null;
}

const quantityMax = 9;

async function change(book: OrderBook, shopRequest: ShopRequest): Promise<ShopResponse> {
  const { path, visit, clickId, form } = shopRequest;
  const [kind] = path;
  if (kind === 'banner') return { is: 'moved', to: '/', cookie: `shop_banner=${visit.isBannerOn ? 'off' : 'on'}; Path=/; SameSite=Lax` };
  if (kind === 'subscribe') return { is: 'moved', to: `/subscriptions/${(await book.subscribe(clickId)).id}` };
  if (kind === 'buy') {
    const product = products.find(({ id }) => id === form.get('product'));
    const quantity = Number(form.get('quantity'));
    if (product === undefined || !Number.isInteger(quantity) || quantity < 1 || quantity > quantityMax) return null;
    return { is: 'moved', to: `/orders/${(await book.buy({ product, quantity, clickId })).id}` };
  }
  return kind === 'orders' ? changeOrder(book, path) : changeSubscription(book, path);
}

async function changeOrder(book: OrderBook, [, id = '', what]: readonly string[]): Promise<ShopResponse> {
  const order = book.orders.get(id);
  if (order === undefined || what !== 'refund') return null;
  await book.refund(order);
  return { is: 'moved', to: `/orders/${id}` };
}

async function changeSubscription(book: OrderBook, [kind, id = '', what, invoiceId]: readonly string[]): Promise<ShopResponse> {
  const subscription = kind === 'subscriptions' ? book.subscriptions.get(id) : undefined;
  if (subscription === undefined) return null;
  const invoice = subscription.invoices.find((one) => one.id === invoiceId);
  if (what === 'renew') await book.renew(subscription);
  else if (what === 'cancel') await book.cancel(subscription);
  else if (what === 'refund' && invoice) await book.refundInvoice(subscription, invoice);
  else return null;
  return { is: 'moved', to: `/subscriptions/${id}` };
}
