import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Late } from '../runtime/report-error.ts';
import { sendContinue, readBody } from '../http/body.ts';
import { readTraceId } from '../http/request-log.ts';
import { invariant } from '../core/invariant.ts';
import type { Fields, JsonObject } from './fields.ts';
import { authenticate, parseBody, postbackBytesMax, type FindKey } from './request-checks.ts';
import { statusOf, type Operation, type Reason, type Refusal, type Status } from './reasons.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { contractPrefix, replyOf, type Outcome, type Reply } from './reply.ts';

/** The functions of higher layers that the endpoint calls. */
export type PostbackEndpoint<Integration> = {
  readonly findKey: FindKey<Integration>;
  /** Applied before the endpoint reads anything but headers, so that an overloaded service rejects a request immediately. */
  readonly limiter: ConcurrencyLimiter;
  /** The `Retry-After` of a request that the limiter rejects. */
  readonly retryAfterSeconds: (nowMs: number) => number;
  readonly now: () => Date;
  /** Called after each reply to an authenticated request. */
  readonly onAnswered: (answered: Answered) => void;
  /** Logs a reply that its handler did not log in its own transaction. If this fails, the reply is 503. */
  readonly onAuthenticated: (answer: AuthenticatedAnswer<Integration>) => Promise<void>;
  /** Counts a request that was rejected before authentication. */
  readonly onUnauthenticated: (reason: Refusal) => void;
  readonly onError: (error: unknown, at: { readonly requestId: string; readonly trace?: string; readonly operation: Operation }) => void;
};

export type Answered = { readonly operation: Operation; readonly status: Status; readonly reason: Reason; readonly tookMs: number };

type AuthenticatedRequest<Integration> = {
  readonly operation: Operation;
  readonly integration: Integration;
  readonly requestId: string;
  readonly receivedAt: Date;
  /** The fields that the operation reads. */
  readonly fields: Fields;
  /** Only a browser sends these headers, so the key has leaked into a page. */
  readonly origin: string | null;
  readonly secFetchSite: string | null;
};

/** A request that passed checks 1 to 6, and whose body is a JSON object. */
export type Postback<Integration> = AuthenticatedRequest<Integration> & {
  readonly json: JsonObject;
  /** The body as received, for the tracking log. */
  readonly bytes: Buffer;
  /** When the headers arrived, on the clock of performance.now(). */
  readonly startedAt: number;
};

type PostbackHandler<Integration> = (postback: Postback<Integration>) => Promise<Outcome>;

export type AuthenticatedAnswer<Integration> = AuthenticatedRequest<Integration> & {
  readonly outcome: Outcome;
  readonly status: number;
  readonly latencyMs: number;
  /** Null if the body was not read. */
  readonly bytes: Buffer | null;
  /** Null if the body is not a JSON object. */
  readonly json: JsonObject | null;
};

export type PostbackRoute<Integration> = {
  /** Below the tracking key, such as `conversions`. */
  readonly path: string;
  readonly operation: Operation;
  /** The tracking log warns about every other field, which is probably a misspelling. */
  readonly fields: Fields;
  readonly handle: PostbackHandler<Integration>;
};

/** Covers key look-up, decision, and commit, and stays below the promised 5 s. Reading the body has its own limit. */
const answerMsMax = 4_500;

/** Registers a route for each operation, and 404 `not_found` for every other path of the contract. */
export function registerPostbacks<Integration>(
  app: FastifyInstance,
  endpoint: PostbackEndpoint<Integration>,
  routes: readonly PostbackRoute<Integration>[],
): void {
  for (const route of routes) {
    app.route<{ Params: { readonly trackingKey: string } }>({
      method: 'POST',
      url: `${contractPrefix}postbacks/:trackingKey/${route.path}`,
      // Fastify would read the body before the handler, and check its type before its size, so everything runs in onRequest.
      onRequest: (request, reply) => {
        const { trackingKey } = request.params;
        // `postbacks//conversions` is another path.
        if (trackingKey === '') return void reply.callNotFound();
        const release = endpoint.limiter.take(trackingKey);
        receive(endpoint, route, { request, reply, trackingKey, isFull: release === null })
          .catch((error: unknown) => reply.send(error))
          .finally(() => release?.());
      },
      handler: () => invariant(false, 'a postback is answered before its handler'),
    });
  }
  // The dashboards may register a wildcard route; it must not match paths of the contract.
  const notFound = (_request: FastifyRequest, reply: FastifyReply): void => void reply.callNotFound();
  app.route({ method: app.supportedMethods, url: `${contractPrefix}*`, onRequest: notFound, handler: notFound });
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly trackingKey: string; readonly isFull: boolean };

/** Runs the request checks in their order, then the operation. Logs every reply that follows authentication. */
async function receive<Integration>(
  endpoint: PostbackEndpoint<Integration>,
  route: PostbackRoute<Integration>,
  exchange: Exchange,
): Promise<void> {
  const { request, reply, trackingKey, isFull } = exchange;
  const { operation } = route;
  const startedAt = performance.now();
  const onError = (error: unknown): void => endpoint.onError(error, { requestId: request.id, ...readTraceId(request.headers), operation });
  const rejectUnauthenticated = (reason: Refusal, waitSeconds?: number): void => {
    endpoint.onUnauthenticated(reason);
    send(reply, operation, { reason, waitSeconds });
  };
  if (isFull) return rejectUnauthenticated('temporarily_unavailable', endpoint.retryAfterSeconds(startedAt));

  const authentication = await inTime(
    () => authenticate({ trackingKey, headers: request.headers }, endpoint.findKey),
    answerMsMax,
    onError,
  );
  if (authentication === null) return rejectUnauthenticated('temporarily_unavailable');
  if (authentication.is === 'rejected') return rejectUnauthenticated(authentication.reason);

  const authenticationMs = performance.now() - startedAt;
  const body: CheckedBody =
    authentication.closed === null
      ? await readAndParseBody(exchange)
      : { is: 'rejected', outcome: { reason: authentication.closed }, bytes: null };
  if (body.is === 'cut') return;
  const authenticated: AuthenticatedRequest<Integration> = {
    ...requestFacts(request),
    operation,
    fields: route.fields,
    integration: authentication.integration,
    receivedAt: endpoint.now(),
  };
  const handle = (): Promise<Outcome> => handleReport(endpoint, route, { authenticated, body, startedAt });
  const outcome: Outcome = (await inTime(handle, answerMsMax - authenticationMs, onError)) ?? { reason: 'temporarily_unavailable' };
  send(reply, operation, outcome);
  const { reason } = outcome;
  endpoint.onAnswered({ operation, status: statusOf(reason, operation), reason, tookMs: performance.now() - startedAt });
}

type Received<Integration> = {
  readonly authenticated: AuthenticatedRequest<Integration>;
  readonly body: Exclude<CheckedBody, { readonly is: 'cut' }>;
  readonly startedAt: number;
};

/** Runs the operation, and logs an outcome that it did not log in its own transaction. */
async function handleReport<Integration>(
  endpoint: Pick<PostbackEndpoint<Integration>, 'onAuthenticated'>,
  route: PostbackRoute<Integration>,
  { authenticated, body, startedAt }: Received<Integration>,
): Promise<Outcome> {
  const outcome =
    body.is === 'rejected' ? body.outcome : await route.handle({ ...authenticated, json: body.json, bytes: body.bytes, startedAt });
  const status = statusOf(outcome.reason, authenticated.operation);
  if (outcome.isLogged || status === 503) return outcome;
  const json = body.is === 'parsed' ? body.json : null;
  await endpoint.onAuthenticated({ ...authenticated, outcome, status, latencyMs: performance.now() - startedAt, bytes: body.bytes, json });
  return outcome;
}

/** A report that the service makes itself, from what a platform of the store has signed. */
export type OwnReport<Integration> = {
  readonly operation: Operation;
  readonly integration: Integration;
  readonly requestId: string;
  readonly body: string;
};

/** Handles a report of the service itself as if it were a postback: with the same operations, deadline, and log, but without HTTP. */
export async function answerOwnReport<Integration>(
  endpoint: Pick<PostbackEndpoint<Integration>, 'now' | 'onAuthenticated' | 'onError'>,
  routes: readonly PostbackRoute<Integration>[],
  { body: text, ...report }: OwnReport<Integration>,
): Promise<Reply> {
  const { operation, requestId } = report;
  const route = routes.find((one) => one.operation === operation);
  invariant(route !== undefined, 'every operation has a route');
  const bytes = Buffer.from(text);
  const authenticated = { ...report, fields: route.fields, receivedAt: endpoint.now(), origin: null, secFetchSite: null };
  const body = { ...parseBody({ 'content-type': 'application/json' }, bytes), bytes };
  const received = { authenticated, body, startedAt: performance.now() };
  const onError = (error: unknown): void => endpoint.onError(error, { requestId, operation });
  const outcome = await inTime(() => handleReport(endpoint, route, received), answerMsMax, onError);
  return replyOf(outcome ?? { reason: 'temporarily_unavailable' }, operation);
}

type CheckedBody =
  | { readonly is: 'parsed'; readonly json: JsonObject; readonly bytes: Buffer }
  | { readonly is: 'rejected'; readonly outcome: Outcome; readonly bytes: Buffer | null }
  | { readonly is: 'cut' };

/** Checks 5 to 7. */
async function readAndParseBody({ request, reply }: Exchange): Promise<CheckedBody> {
  // The HTTP parser may have rejected and answered the request during the key look-up.
  if (reply.sent) return { is: 'cut' };
  // A client that waits for 100 Continue does not send a body whose announced size is too large.
  if (Number(request.headers['content-length'] ?? 0) <= postbackBytesMax) sendContinue(request.raw, reply.raw);
  const body = await readBody(request.raw, postbackBytesMax);
  switch (body.is) {
    case 'cut':
      return { is: 'cut' };
    case 'malformed':
      return { is: 'rejected', outcome: { reason: 'bad_request' }, bytes: null };
    case 'too large':
      return { is: 'rejected', outcome: { reason: 'payload_too_large' }, bytes: null };
    case 'whole':
      return { ...parseBody(request.headers, body.bytes), bytes: body.bytes };
  }
}

function requestFacts(request: FastifyRequest): Pick<AuthenticatedRequest<unknown>, 'requestId' | 'origin' | 'secFetchSite'> {
  const { origin, 'sec-fetch-site': secFetchSite } = request.headers;
  return { requestId: request.id, origin: origin ?? null, secFetchSite: typeof secFetchSite === 'string' ? secFetchSite : null };
}

/** Null if the work failed or is late. The sender retries, and the replay shows what the late work committed. */
function inTime<Value>(work: () => Promise<Value>, msMax: number, onError: (error: unknown) => void): Promise<Value | null> {
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      onError(new Late(`no answer within ${Math.round(msMax)} ms`));
      resolve(null);
    }, msMax);
    const end = (value: Value | null): void => {
      clearTimeout(timer);
      resolve(value);
    };
    work().then(end, (error: unknown) => {
      if (!isLate) onError(error);
      end(null);
    });
  });
}

function send(reply: FastifyReply, operation: Operation, outcome: Outcome): void {
  // The HTTP parser may have rejected the rest of the request and answered it.
  if (reply.sent) return;
  const { status, headers, body } = replyOf(outcome, operation);
  // The body has no bigint, so JSON.stringify needs no replacer, which would take several times as long.
  reply.code(status).headers(headers).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}
