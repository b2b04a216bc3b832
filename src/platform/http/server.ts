import Fastify, {
  errorCodes,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { newId } from '../ids.ts';
import { realNow } from '../time.ts';
import { answersPolicy } from './answers-policy.ts';
import { hasBody, inviteBody, isEncoded, isJsonType, linger, MalformedBody, mustPart } from './body.ts';
import { jsonText } from './json.ts';
import { createLeaving, type Leaving } from './leaving.ts';
import { httpLimits, type HttpLimits } from './limits.ts';
import { listenBeside, stopListening } from './listeners.ts';
import { answerTo, pathOf, problem, type Dialect, type Problem } from './problem.ts';
import { createRawServer } from './raw-server.ts';
import { trustedAddresses } from './trusted-proxies.ts';
import { traceOf } from './trace.ts';

export type ServerOptions = {
  /** Addresses or networks of our own proxies, whose X-Forwarded-For and Request-Id are believed. */
  readonly trustedProxies: readonly string[];
  readonly dialects: readonly Dialect[];
  /** Whether browsers are told to use https only. True where the service is reached by https. */
  readonly isHttpsOnly?: boolean;
  /** Whether an error says "not now" (the database is away) rather than "never". */
  readonly isTemporary: (error: unknown) => boolean;
  readonly onFault: (error: unknown, at: FaultPlace) => void;
  readonly limits?: Partial<HttpLimits>;
  /** How many share the port that is listened to; one is told nothing. */
  readonly listeners?: number;
  /** For who wants to be gone without failing a request; closing alone cuts the connections that rest. */
  readonly leaving?: Leaving;
};

type FaultPlace = { readonly requestId: string; readonly trace?: string; readonly method: string; readonly route: string };

/**
 * Fastify with every default replaced that would answer without `ok` and `reason`. Every answer carries Request-Id,
 * X-Content-Type-Options: nosniff and, where a handler says nothing else, Cache-Control: no-store and a policy that lets a browser do
 * nothing with it. A body reaches its handler as the
 * bytes received.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const limits: HttpLimits = { ...httpLimits, ...options.limits };
  const leaving = options.leaving ?? createLeaving();
  const { listeners = 1 } = options;
  const servers: Server[] = [];
  const serve = (listener: RequestListener): Server => {
    const problemOfUnrouted = (target: string) => unrouted(app, target);
    const server = createRawServer(listener, { limits, listeners, dialects: options.dialects, problemOfUnrouted });
    servers.push(server);
    leaving.serves(server);
    return server;
  };
  const app: FastifyInstance = Fastify({
    // Fastify makes a second server for ::1 when it listens on "localhost"; both must refuse alike.
    serverFactory: serve,
    // The servers above answer by themselves.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) =>
      void send(request, withStanding(request, reply), problemOf(error, request, options), options),
    logger: false,
    requestIdHeader: false,
    genReqId: requestIdFrom(trustedAddresses(options.trustedProxies)),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: limits.bodyBytesMax,
    // A request that comes while we stop is served, not refused in Fastify's own words.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // No parameter can be longer than the headers: a long one is an unknown name, not an error of another kind.
      maxParamLength: limits.headerBytesMax,
    },
  });
  app.setReplySerializer(jsonText);
  readBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    withStanding(request, reply);
    if (options.isHttpsOnly === true) reply.header('strict-transport-security', httpsOnly);
    done();
  });
  // Here and not earlier, so that a plugin may answer its own unknown addresses in onRequest; and before the body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const met = problemOnHeaders(app, request);
    if (met) return void send(request, reply, met, options);
    inviteBody(request.raw, reply.raw);
    done(null, payload);
  });
  app.setNotFoundHandler((request, reply) => send(request, reply, unrouted(app, request.raw.url ?? ''), options));
  app.setErrorHandler((error, request, reply) => {
    // Fastify closes the connection after every body it could not read. One that was read whole does no harm.
    if (request.raw.complete) reply.removeHeader('connection');
    return send(request, reply, problemOf(error, request, options), options);
  });
  endConnections(app, servers, { limits, leaving });
  if (listeners > 1) listenTogether(app, () => Array.from({ length: listeners - 1 }, () => serve(app.routing)));
  return app;
}

/** Fastify opens and closes one; the others go with it. */
function listenTogether(app: FastifyInstance, othersOf: () => readonly Server[]): void {
  let others: readonly Server[] = [];
  app.addHook('onListen', async () => {
    others = othersOf();
    await listenBeside(app.server, others);
  });
  app.addHook('preClose', async () => stopListening(others));
}

const requestIdShape = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/**
 * A trusted proxy's id is used where it is harmless in a log, a header and a page. From anyone else it is ignored: a client that
 * chooses ids could make its requests look like another's in the logs.
 */
const requestIdFrom =
  (isTrusted: (address: string | undefined) => boolean) =>
  (request: IncomingMessage): string => {
    const given = request.headers['request-id'];
    const isUsable = typeof given === 'string' && requestIdShape.test(given) && isTrusted(request.socket.remoteAddress);
    return isUsable ? given : newId(realNow());
  };

/** A year. Not for subdomains: the operator may run others there without https. Browsers ignore it on plain http. */
const httpsOnly = 'max-age=31536000';

function withStanding(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('request-id', request.id)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', answersPolicy);
}

/** One parser for all: the bytes as they came. What they mean is read where the request is judged. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    // `curl -d ''` sends an empty form. Nothing has no type.
    if (bytes.length === 0) done(null, undefined);
    else if (isJsonType(request.headers['content-type'] ?? '')) done(null, bytes);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
}

function problemOnHeaders(app: FastifyInstance, request: FastifyRequest): Problem | null {
  if (request.is404) return unrouted(app, request.raw.url ?? '');
  return hasBody(request.raw) && isEncoded(request.headers) ? problem('unsupported_media_type') : null;
}

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A path that only a wildcard knows (the dashboards' pages) is not a known path for other methods; nor is one with an empty name in it. */
function unrouted(app: FastifyInstance, target: string): Problem {
  const allowed = methods.filter((method) => {
    const route: { readonly params: Readonly<Record<string, unknown>> } | null = app.findRoute({ method, url: target });
    return route !== null && !('*' in route.params) && !Object.values(route.params).includes('');
  });
  return allowed.length === 0 ? problem('not_found') : problem('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}

function problemOf(error: unknown, request: FastifyRequest, options: ServerOptions): Problem {
  if (error instanceof MalformedBody) return problem('bad_request');
  // The sender is gone; no one reads what we say, and it is no fault of ours.
  if (request.raw.destroyed && !request.raw.complete) return problem('bad_request');
  const { code, statusCode = 500 } = isFastifyError(error) ? error : {};
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problem('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return problem('unsupported_media_type');
  if (code?.startsWith('FST_') && statusCode < 500) return problem('bad_request');
  const { id: requestId, method, headers, routeOptions } = request;
  options.onFault(error, { requestId, ...traceOf(headers), method, route: routeOptions.url ?? '' });
  return problem(options.isTemporary(error) ? 'temporarily_unavailable' : 'internal_error');
}

const isFastifyError = (error: unknown): error is Partial<FastifyError> => error instanceof Error;

function send(request: FastifyRequest, reply: FastifyReply, met: Problem, { dialects }: ServerOptions): FastifyReply {
  const { status, headers, body } = answerTo(met, pathOf(request.raw.url ?? ''), dialects);
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(jsonText(body));
}

/** Which connections end with their answer, and how the last ones end when we stop. */
type Ending = { readonly limits: HttpLimits; readonly leaving: Leaving };

function endConnections(app: FastifyInstance, servers: readonly Server[], { limits, leaving }: Ending): void {
  let deadline: NodeJS.Timeout | undefined;
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    const isParting = mustPart(raw, reply.statusCode, limits.unreadBytesMax);
    if (isParting || leaving.hasBegun()) reply.header('connection', 'close');
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) leaving.streams(reply.raw);
    if (isParting) linger(raw.socket, limits.lingerMs);
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    leaving.begin();
    // Without this, one silent connection would keep us from stopping: Node checks no time limits once it closes.
    deadline = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), limits.closeMs);
    deadline.unref();
    done();
  });
  app.addHook('onClose', async () => clearTimeout(deadline));
}
