import Fastify, {
  errorCodes,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { newId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { responsePolicy } from './security-headers.ts';
import { hasBody, sendContinue, isEncoded, isFileType, isJsonType, lingerOnClose, MalformedBody, mustCloseConnection } from './body.ts';
import { createBodyMemory, type MayHold } from './body-memory.ts';
import { jsonText } from '../core/json.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { httpLimits, type HttpLimits } from './limits.ts';
import { listenAlongside, stopListening } from './listeners.ts';
import { problemResponse, pathOf, problem, type ProblemFormat, type Problem } from './problem.ts';
import { createRawServer } from './raw-server.ts';
import { readRequestBody, TooManyBodies } from './read-request-body.ts';
import { createProxyCheck } from './trusted-proxies.ts';
import { readTraceId } from './request-log.ts';

export type ServerOptions = {
  /** Addresses or networks of our own proxies, whose X-Forwarded-For and Request-Id are trusted. */
  readonly trustedProxies: readonly string[];
  readonly problemFormats: readonly ProblemFormat[];
  /** Whether to send Strict-Transport-Security; true if the service is reached by https. */
  readonly isHttpsOnly?: boolean;
  /** Whether an error is temporary, such as an unreachable database. */
  readonly isTemporary: (error: unknown) => boolean;
  readonly onError: (error: unknown, at: ErrorLocation) => void;
  readonly limits?: Partial<HttpLimits>;
  /** How many servers share the port. */
  readonly listeners?: number;
  /** For a shutdown without failed requests; `close` alone cuts idle connections. */
  readonly shutdown?: Shutdown;
};

type ErrorLocation = { readonly requestId: string; readonly trace?: string; readonly method: string; readonly route: string };

/**
 * Fastify, with every default replaced that would respond without `ok` and `reason`. Every response has Request-Id,
 * X-Content-Type-Options: nosniff and, unless a handler sets others, Cache-Control: no-store and a Content-Security-Policy that allows
 * nothing. Handlers receive the body as raw bytes.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const limits: HttpLimits = { ...httpLimits, ...options.limits };
  const shutdown = options.shutdown ?? createShutdown();
  const { listeners = 1 } = options;
  const servers: Server[] = [];
  const serve = (listener: RequestListener): Server => {
    const server = createRawServer(listener, {
      limits,
      listeners,
      problemFormats: options.problemFormats,
      problemForUnrouted: (target) => problemForUnrouted(app, target),
    });
    servers.push(server);
    shutdown.addServer(server);
    return server;
  };
  const app: FastifyInstance = Fastify({
    // Fastify creates a second server for ::1 when it listens on "localhost"; both must reject in the same way.
    serverFactory: serve,
    // The servers of `serverFactory` respond to client errors.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) =>
      void sendProblem(request, withDefaultHeaders(request, reply), problemOf(error, request, options), options),
    logger: false,
    requestIdHeader: false,
    genReqId: requestIdFrom(createProxyCheck(options.trustedProxies)),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: limits.bodyBytesMax,
    // Requests during a shutdown are served; Fastify would reject them in its own format.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: routerOptionsFor(limits),
  });
  app.setReplySerializer(jsonText);
  parseBodiesAsBytes(app, limits);
  app.addHook('onRequest', (request, reply, done) => {
    withDefaultHeaders(request, reply);
    if (options.isHttpsOnly === true) reply.header('strict-transport-security', httpsOnly);
    done();
  });
  // Runs before the body is read, but after onRequest, where a plugin may answer its own unknown paths.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const met = problemInHeaders(app, request);
    if (met) return void sendProblem(request, reply, met, options);
    sendContinue(request.raw, reply.raw);
    done(null, payload);
  });
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problemForUnrouted(app, request.raw.url ?? ''), options));
  app.setErrorHandler((error, request, reply) => {
    // Fastify closes the connection after every body that it could not parse. If the body was read completely, it can stay open.
    if (request.raw.complete) reply.removeHeader('connection');
    return sendProblem(request, reply, problemOf(error, request, options), options);
  });
  closeConnections(app, servers, { limits, shutdown });
  if (listeners > 1) openFurtherListeners(app, () => Array.from({ length: listeners - 1 }, () => serve(app.routing)));
  return app;
}

/** Routes have no schemas, so the packages that compile schemas are not loaded. */
const noSchemas = (): never => {
  throw new Error('routes have no schemas');
};

const routerOptionsFor = (limits: HttpLimits) => ({
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  // Effectively no limit: a long parameter is an unknown name, not another kind of error.
  maxParamLength: limits.headerBytesMax,
});

/** Fastify opens and closes one server; the others follow it. */
function openFurtherListeners(app: FastifyInstance, othersOf: () => readonly Server[]): void {
  let others: readonly Server[] = [];
  app.addHook('onListen', async () => {
    others = othersOf();
    await listenAlongside(app.server, others);
  });
  app.addHook('preClose', async () => stopListening(others));
}

const requestIdShape = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/**
 * Uses the request ID of a trusted proxy if it is safe in a log, a header and a page. Other senders' IDs are ignored, because a client
 * could imitate the requests of another one in the logs.
 */
const requestIdFrom =
  (isTrusted: (address: string | undefined) => boolean) =>
  (request: IncomingMessage): string => {
    const given = request.headers['request-id'];
    const isUsable = typeof given === 'string' && requestIdShape.test(given) && isTrusted(request.socket.remoteAddress);
    return isUsable ? given : newId(realNow());
  };

/** One year. Subdomains are not included, because the operator may run other services there without https. */
const httpsOnly = 'max-age=31536000';

function withDefaultHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('request-id', request.id)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', responsePolicy);
}

declare module 'fastify' {
  // Fastify's own type, which is extended by merging interfaces.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyContextConfig {
    /** The body is a file instead of JSON. */
    readonly acceptsFiles?: boolean;
  }
}

/** One parser for all content types, which passes on the raw bytes. Handlers parse them. */
function parseBodiesAsBytes(app: FastifyInstance, { bodiesBytesMax }: HttpLimits): void {
  const memory = createBodyMemory(bodiesBytesMax);
  const limitOf = new WeakMap<FastifyRequest, MayHold>();
  // A content type parser does not get the response.
  app.addHook('preParsing', (request, reply, payload, done) => {
    // The memory of files is limited by their number.
    if (hasBody(request.raw) && request.routeOptions.config.acceptsFiles !== true) limitOf.set(request, memory(reply.raw));
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const { bodyLimit, config } = request.routeOptions;
    const bytes = await readRequestBody(request, bodyLimit, limitOf.get(request));
    // `curl -d ''` sends an empty form; an empty body has no type.
    if (bytes.length === 0) return undefined;
    const type = request.headers['content-type'] ?? '';
    if (config.acceptsFiles === true ? isFileType(type) : isJsonType(type)) return bytes;
    throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
  });
}

function problemInHeaders(app: FastifyInstance, request: FastifyRequest): Problem | null {
  if (request.is404) return problemForUnrouted(app, request.raw.url ?? '');
  return hasBody(request.raw) && isEncoded(request.headers) ? problem('unsupported_media_type') : null;
}

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A path that matches only a wildcard (the dashboards) or has an empty parameter is unknown for other methods. */
function problemForUnrouted(app: FastifyInstance, target: string): Problem {
  const allowed = methods.filter((method) => {
    const route: { readonly params: Readonly<Record<string, unknown>> } | null = app.findRoute({ method, url: target });
    return route !== null && !('*' in route.params) && !Object.values(route.params).includes('');
  });
  return allowed.length === 0 ? problem('not_found') : problem('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}

function problemOf(error: unknown, request: FastifyRequest, options: ServerOptions): Problem {
  if (error instanceof MalformedBody) return problem('bad_request');
  if (error instanceof TooManyBodies) return problem('temporarily_unavailable');
  // The sender disconnected. This is not our error, and the response is never read.
  if (request.raw.destroyed && !request.raw.complete) return problem('bad_request');
  const { code, statusCode = 500 } = isFastifyError(error) ? error : {};
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problem('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return problem('unsupported_media_type');
  if (code?.startsWith('FST_') && statusCode < 500) return problem('bad_request');
  const { id: requestId, method, headers, routeOptions } = request;
  options.onError(error, { requestId, ...readTraceId(headers), method, route: routeOptions.url ?? '' });
  return problem(options.isTemporary(error) ? 'temporarily_unavailable' : 'internal_error');
}

const isFastifyError = (error: unknown): error is Partial<FastifyError> => error instanceof Error;

function sendProblem(request: FastifyRequest, reply: FastifyReply, met: Problem, { problemFormats }: ServerOptions): FastifyReply {
  const { status, headers, body } = problemResponse(met, pathOf(request.raw.url ?? ''), problemFormats);
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(jsonText(body));
}

type ConnectionOptions = { readonly limits: HttpLimits; readonly shutdown: Shutdown };

function closeConnections(app: FastifyInstance, servers: readonly Server[], { limits, shutdown }: ConnectionOptions): void {
  let deadline: NodeJS.Timeout | undefined;
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    const mustClose = mustCloseConnection(raw, reply.statusCode, limits.unreadBytesMax);
    if (mustClose || shutdown.hasBegun()) reply.header('connection', 'close');
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) shutdown.addStream(reply.raw);
    if (mustClose) lingerOnClose(raw.socket, limits.lingerMs);
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    shutdown.begin();
    // Without this, one idle connection would block the shutdown: Node checks no timeouts after `close`.
    deadline = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), limits.closeMs);
    deadline.unref();
    done();
  });
  app.addHook('onClose', async () => clearTimeout(deadline));
}
