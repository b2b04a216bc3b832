import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStripeBook, type StripeBook, type StripeObject } from './stripe-book.ts';
import { faultsOf, operations, refused, wordIn, type Answer, type Asked } from './stripe-requests.ts';

/**
 * A local substitute for Stripe's HTTP API. It validates every request as strictly as Stripe, records objects, handles idempotency keys as
 * Stripe documents them, and its lists lag behind. The name of the saved method (`pm_<word>`) or of the account (`acct_<word>`) selects how
 * a call ends.
 */
export type StripeStandIn = {
  readonly host: string;
  readonly port: number;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly book: StripeBook;
  /** Our requests that Stripe would reject. */
  readonly faults: readonly string[];
  /** The number of requests by operation. */
  readonly asked: ReadonlyMap<string, number>;
  /** Keys expire, and lists catch up, by this clock. */
  readonly pass: (ms: number) => void;
  /** A webhook as Stripe would send it now: the bytes and the signature header. */
  readonly news: (type: string, object: StripeObject, options?: NewsOptions) => SignedNews;
  readonly close: () => Promise<void>;
};
type NewsOptions = { readonly id?: string; readonly signedAt?: Date; readonly secret?: string; readonly livemode?: boolean };
export type SignedNews = { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> };

const secretKey = 'sk_test_standin';
const webhookSecret = 'whsec_standin';
const keysForgottenAfterMs = 24 * 3_600_000;
const lagMs = 60_000;
const apiVersion = '2026-10-28.endive';

type Key = { readonly content: string; readonly keptAt: number; answer: Answer | 'working' };
type Standing = {
  readonly book: StripeBook;
  readonly keys: Map<string, Key>;
  readonly lostOnce: Set<string>;
  readonly faults: string[];
  readonly asked: Map<string, number>;
  readonly now: () => number;
};

export async function startStripeStandIn(): Promise<StripeStandIn> {
  let passedMs = 0;
  const now = () => Date.now() + passedMs;
  const standing: Standing = {
    book: openStripeBook(now, lagMs),
    keys: new Map(),
    lostOnce: new Set(),
    faults: [],
    asked: new Map(),
    now,
  };
  const server = createServer((request, response) => void serve(standing, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: '127.0.0.1',
    port,
    secretKey,
    webhookSecret,
    book: standing.book,
    faults: standing.faults,
    asked: standing.asked,
    pass: (ms) => void (passedMs += ms),
    news: (type, object, options = {}) => signedNews(standing.book, { type, object, options }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(standing: Standing, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://stripe');
  const method = request.method ?? '';
  const fields = new Map(method === 'GET' ? url.searchParams : new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
  const key = request.headers['idempotency-key'];
  const asked: Asked = { method, path: url.pathname, fields, key: typeof key === 'string' ? key : null };
  const answer = headerFault(standing, request) ?? (await answered(standing, asked));
  if (answer === 'silence') return;
  if (answer === 'cut') return void request.socket.destroy();
  response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_standin' });
  response.end(JSON.stringify(answer.body));
}

function headerFault({ faults }: Standing, { headers, method, url }: IncomingMessage): Answer | null {
  if (headers.authorization !== `Bearer ${secretKey}`) {
    return refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
  }
  const isForm = method === 'GET' || headers['content-type'] === 'application/x-www-form-urlencoded';
  if (headers['stripe-version'] === apiVersion && isForm) return null;
  faults.push(`${method} ${url}: version ${String(headers['stripe-version'])}, type ${headers['content-type']}`);
  return refused(400, { type: 'invalid_request_error', message: 'The headers are not right' });
}

async function answered(standing: Standing, asked: Asked): Promise<Answer | 'silence' | 'cut'> {
  const id =
    asked.path
      .split('/')
      .slice(3)
      .find((part) => /_\w+/.test(part)) ?? '';
  const name = `${asked.method} ${id === '' ? asked.path : asked.path.replace(id, ':id')}`;
  const operation = operations[name];
  const faults = operation === undefined ? ['is no request that we make'] : faultsOf(asked, operation);
  standing.faults.push(...faults.map((fault) => `${name} ${fault}`));
  if (operation === undefined || faults.length > 0) {
    return refused(400, { type: 'invalid_request_error', code: 'parameter_unknown', message: faults.join() });
  }
  standing.asked.set(name, (standing.asked.get(name) ?? 0) + 1);
  return asked.key === null
    ? operation.answer(asked, standing.book, id)
    : underKey(standing, asked, (book) => operation.answer(asked, book, id));
}

/**
 * As Stripe documents it: the first result is stored with its key, a 500 too; a request that was rejected before processing is not; the
 * same key during the first call is 409, with different content 400.
 */
async function underKey(standing: Standing, asked: Asked, work: (book: StripeBook) => Answer): Promise<Answer | 'silence' | 'cut'> {
  const { keys, book, now } = standing;
  const key = asked.key ?? '';
  const content = JSON.stringify([asked.method, asked.path, [...asked.fields]]);
  const word = wordIn(asked.fields.get('payment_method') ?? asked.fields.get('destination') ?? '');
  const kept = keys.get(key);
  if (kept !== undefined && kept.keptAt + keysForgottenAfterMs > now()) {
    if (kept.content !== content)
      return refused(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters' });
    if (kept.answer === 'working') return refused(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use' });
    return kept.answer;
  }
  const before = lostBefore(standing, key, word);
  if (before !== null) return before;
  const entry: Key = { content, keptAt: now(), answer: 'working' };
  keys.set(key, entry);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const answer = work(book);
  // A request that was rejected for its parameters is not stored.
  if (answer.status === 400 || answer.status === 404) keys.delete(key);
  else entry.answer = word === 'error_done' ? refused(500, { type: 'api_error', message: 'Something went wrong' }) : answer;
  if (word === 'timeout_done') return 'silence';
  if (word === 'cut_done') return 'cut';
  return entry.answer === 'working' ? answer : entry.answer;
}

/** The first call with a key is lost on the network, or rejected before processing. */
function lostBefore({ lostOnce }: Standing, key: string, word: string): Answer | 'silence' | null {
  if (lostOnce.has(key)) return null;
  lostOnce.add(key);
  if (word === 'timeout_not_done') return 'silence';
  if (word === 'error_not_done') return refused(503, { type: 'api_error', message: 'Unavailable' });
  if (word === 'busy') return refused(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' });
  if (word === 'locked') return refused(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use' });
  return null;
}

type Signing = { readonly type: string; readonly object: StripeObject; readonly options: NewsOptions };

function signedNews(book: StripeBook, { type, object, options }: Signing): SignedNews {
  const { id = book.newId('evt'), signedAt = new Date(), secret = webhookSecret, livemode = false } = options;
  const seconds = Math.floor(signedAt.getTime() / 1_000);
  const event = { id, object: 'event', api_version: apiVersion, created: seconds, livemode, type, data: { object } };
  const body = Buffer.from(JSON.stringify(event, null, 2));
  const signature = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return { body, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } };
}
