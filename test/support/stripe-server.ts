import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStripeBook, type StripeBook, type StripeObject } from './stripe-book.ts';
import { problemsOf, operations, refused, wordIn, type Answer, type StripeRequest } from './stripe-requests.ts';

/**
 * A local substitute for Stripe's HTTP API. It validates every request as strictly as Stripe, records objects, handles idempotency keys as
 * Stripe documents them, and its lists lag behind. The name of the saved method (`pm_<word>`) or of the account (`acct_<word>`) selects how
 * a call ends.
 */
export type FakeStripe = {
  readonly host: string;
  readonly port: number;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly book: StripeBook;
  /** Our requests that Stripe would reject. */
  readonly problems: readonly string[];
  /** The number of requests by operation. */
  readonly callCounts: ReadonlyMap<string, number>;
  /** Keys expire, and lists catch up, by this clock. */
  readonly pass: (ms: number) => void;
  /** A webhook as Stripe would send it now: the bytes and the signature header. */
  readonly webhook: (type: string, object: StripeObject, options?: WebhookOptions) => SignedWebhook;
  readonly close: () => Promise<void>;
};
type WebhookOptions = { readonly id?: string; readonly signedAt?: Date; readonly secret?: string; readonly livemode?: boolean };
export type SignedWebhook = { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> };

const secretKey = 'sk_test_standin';
const webhookSecret = 'whsec_standin';
const keysForgottenAfterMs = 24 * 3_600_000;
const lagMs = 60_000;
const apiVersion = '2026-10-28.endive';

type Key = { readonly content: string; readonly keptAt: number; answer: Answer | 'working' };
type State = {
  readonly book: StripeBook;
  readonly keys: Map<string, Key>;
  readonly lostOnce: Set<string>;
  readonly problems: string[];
  readonly callCounts: Map<string, number>;
  readonly now: () => number;
};

export async function startFakeStripe(): Promise<FakeStripe> {
  let passedMs = 0;
  const now = () => Date.now() + passedMs;
  const state: State = {
    book: openStripeBook(now, lagMs),
    keys: new Map(),
    lostOnce: new Set(),
    problems: [],
    callCounts: new Map(),
    now,
  };
  const server = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: '127.0.0.1',
    port,
    secretKey,
    webhookSecret,
    book: state.book,
    problems: state.problems,
    callCounts: state.callCounts,
    pass: (ms) => void (passedMs += ms),
    webhook: (type, object, options = {}) => signWebhook(state.book, { type, object, options }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://stripe');
  const method = request.method ?? '';
  const fields = new Map(method === 'GET' ? url.searchParams : new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
  const key = request.headers['idempotency-key'];
  const stripeRequest: StripeRequest = { method, path: url.pathname, fields, key: typeof key === 'string' ? key : null };
  const answer = headerProblem(state, request) ?? (await answered(state, stripeRequest));
  if (answer === 'silence') return;
  if (answer === 'cut') return void request.socket.destroy();
  response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_standin' });
  response.end(JSON.stringify(answer.body));
}

function headerProblem({ problems }: State, { headers, method, url }: IncomingMessage): Answer | null {
  if (headers.authorization !== `Bearer ${secretKey}`) {
    return refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
  }
  const isForm = method === 'GET' || headers['content-type'] === 'application/x-www-form-urlencoded';
  if (headers['stripe-version'] === apiVersion && isForm) return null;
  problems.push(`${method} ${url}: version ${String(headers['stripe-version'])}, type ${headers['content-type']}`);
  return refused(400, { type: 'invalid_request_error', message: 'The headers are not right' });
}

async function answered(state: State, stripeRequest: StripeRequest): Promise<Answer | 'silence' | 'cut'> {
  const id =
    stripeRequest.path
      .split('/')
      .slice(3)
      .find((part) => /_\w+/.test(part)) ?? '';
  const name = `${stripeRequest.method} ${id === '' ? stripeRequest.path : stripeRequest.path.replace(id, ':id')}`;
  const operation = operations[name];
  const problems = operation === undefined ? ['is no request that we make'] : problemsOf(stripeRequest, operation);
  state.problems.push(...problems.map((problem) => `${name} ${problem}`));
  if (operation === undefined || problems.length > 0) {
    return refused(400, { type: 'invalid_request_error', code: 'parameter_unknown', message: problems.join() });
  }
  state.callCounts.set(name, (state.callCounts.get(name) ?? 0) + 1);
  return stripeRequest.key === null
    ? operation.answer(stripeRequest, state.book, id)
    : underKey(state, stripeRequest, (book) => operation.answer(stripeRequest, book, id));
}

/**
 * As Stripe documents it: the first result is stored with its key, a 500 too; a request that was rejected before processing is not; the
 * same key during the first call is 409, with different content 400.
 */
async function underKey(
  state: State,
  stripeRequest: StripeRequest,
  work: (book: StripeBook) => Answer,
): Promise<Answer | 'silence' | 'cut'> {
  const { keys, book, now } = state;
  const key = stripeRequest.key ?? '';
  const content = JSON.stringify([stripeRequest.method, stripeRequest.path, [...stripeRequest.fields]]);
  const word = wordIn(stripeRequest.fields.get('payment_method') ?? stripeRequest.fields.get('destination') ?? '');
  const kept = keys.get(key);
  if (kept !== undefined && kept.keptAt + keysForgottenAfterMs > now()) {
    if (kept.content !== content)
      return refused(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters' });
    if (kept.answer === 'working') return refused(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use' });
    return kept.answer;
  }
  const before = lostBefore(state, key, word);
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
function lostBefore({ lostOnce }: State, key: string, word: string): Answer | 'silence' | null {
  if (lostOnce.has(key)) return null;
  lostOnce.add(key);
  if (word === 'timeout_not_done') return 'silence';
  if (word === 'error_not_done') return refused(503, { type: 'api_error', message: 'Unavailable' });
  if (word === 'busy') return refused(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' });
  if (word === 'locked') return refused(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use' });
  return null;
}

type Signing = { readonly type: string; readonly object: StripeObject; readonly options: WebhookOptions };

function signWebhook(book: StripeBook, { type, object, options }: Signing): SignedWebhook {
  const { id = book.newId('evt'), signedAt = new Date(), secret = webhookSecret, livemode = false } = options;
  const seconds = Math.floor(signedAt.getTime() / 1_000);
  const event = { id, object: 'event', api_version: apiVersion, created: seconds, livemode, type, data: { object } };
  const body = Buffer.from(JSON.stringify(event, null, 2));
  const signature = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return { body, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } };
}
