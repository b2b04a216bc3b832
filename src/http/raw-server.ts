import {
  createServer,
  METHODS,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { responsePolicy } from './security-headers.ts';
import { closeWithLinger, delayContinue, isLingering, MalformedBody, markMalformed } from './body.ts';
import { jsonText } from '../core/json.ts';
import type { HttpLimits } from './limits.ts';
import { connectionsMaxPerListener } from './listeners.ts';
import {
  problemResponse,
  problemResponseWithoutPath,
  pathOf,
  problem,
  type ProblemFormat,
  type Problem,
  type ProblemResponse,
} from './problem.ts';

export type RawServerOptions = {
  readonly limits: HttpLimits;
  /** The number of servers that share the port. */
  readonly listeners: number;
  readonly problemFormats: readonly ProblemFormat[];
  /** The response for a method that the path does not have. */
  readonly problemForUnrouted: (target: string) => Problem;
};

/** Node's HTTP server, with JSON responses for everything that Node would answer without a body or not at all. */
export function createRawServer(listener: RequestListener, options: RawServerOptions): Server {
  const { limits } = options;
  // Otherwise an idle connection would keep its last request in memory until the next one.
  const forget = function forget(this: ServerResponse): void {
    const socket: ServerSocket = this.req.socket;
    if (socket[exchangeOf]?.response === this) socket[exchangeOf] = undefined;
  };
  const receive: RequestListener = (request, response) => {
    const socket: ServerSocket = request.socket;
    socket[exchangeOf] = { request, response };
    response.once('close', forget);
    if (hasInvalidHost(request)) refuse(request, response, options);
    else listener(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytesMax,
      insecureHTTPParser: false,
      joinDuplicateHeaders: false,
      // Node would answer a missing Host with an empty 400; `receive` answers it with JSON.
      requireHostHeader: false,
      headersTimeout: limits.receiveMs,
      requestTimeout: limits.receiveMs,
      connectionsCheckingInterval: limits.receiveCheckMs,
      keepAliveTimeout: limits.keepAliveMs,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: limits.keepAliveMs,
      // Some clients (such as Java's) offer an upgrade to HTTP/2. It is ignored, and the request is handled normally.
      shouldUpgradeCallback: () => false,
    },
    receive,
  );
  server.setTimeout(limits.sendMs, (socket: ServerSocket) => onSilence(socket, socket[exchangeOf], limits));
  server.maxConnections = connectionsMaxPerListener(limits.connectionsMax, options.listeners);
  // The size of the headers is limited. A limit on their number would silently drop the rest, possibly including the key.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
    delayContinue(request);
    receive(request, response);
  });
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); accepting the order is better than a 417.
  server.on('checkExpectation', receive);
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    writeResponse(socket, problemResponseWithoutPath(problem('not_found')), limits);
  });
  server.on('clientError', (error: ParserError, socket: Socket) => onParserError(error, socket, options));
  return server;
}

/** The property of a socket with its current exchange. */
const exchangeOf = Symbol('exchange');
type ServerSocket = Socket & { [exchangeOf]?: Exchange | undefined };

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** How often `sendMs` passed since the last byte, and how many bytes there were then. */
  silence?: { readonly times: number; readonly bytes: number };
};
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/**
 * Node calls this when a connection had no byte in either direction for the time of its timeout: between two requests `keepAliveMs`,
 * otherwise `sendMs`. Bytes of a long response that the client reads count too.
 */
function onSilence(socket: Socket, exchange: Exchange | undefined, { sendMs, idleMs }: HttpLimits): void {
  const isUnread = socket.writableLength > 0;
  if (exchange === undefined || isUnread) return void socket.destroy();
  // The response is due.
  const bytes = socket.bytesRead + socket.bytesWritten;
  const times = exchange.silence?.bytes === bytes ? exchange.silence.times + 1 : 1;
  if (times * sendMs >= idleMs) return void socket.destroy();
  exchange.silence = { times, bytes };
  socket.setTimeout(sendMs);
}

/** A client may close its side after sending the request and still receives the response. */
function allowHalfOpen(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}

function hasInvalidHost({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor === 1 && httpVersionMinor === 0) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts !== 1;
}

function refuse(request: IncomingMessage, response: ServerResponse, { problemFormats }: RawServerOptions): void {
  const answer = problemResponse(problem('bad_request'), pathOf(request.url ?? ''), problemFormats);
  const { headers, body } = serializeResponse(answer);
  response.writeHead(answer.status, headers).end(body);
}

const refusedSockets = new WeakSet<Socket>();

/**
 * Handles a request that the parser cannot read. Its response must not overtake an earlier one on the same connection; otherwise the
 * client would match it to a valid request.
 */
function onParserError(error: ParserError, socket: ServerSocket, refusing: RawServerOptions): void {
  // A request that is too slow is disconnected without a response.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.destroy();
  // Responds only once. While a connection lingers after its response, further input is dropped.
  if (refusedSockets.has(socket) || isLingering(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  refusedSockets.add(socket);

  const exchange = socket[exchangeOf];
  if (exchange === undefined || exchange.response.closed) return refuseOnSocket(error, socket, refusing);
  const { request, response } = exchange;
  if (request.complete) return void response.once('close', () => refuseOnSocket(error, socket, refusing));
  if (response.headersSent) return closeWithLinger(socket, refusing.limits.lingerMs);
  markMalformed(request);
  // A handler that reads the body responds itself (the postback endpoint logs the request). Otherwise it is answered here.
  if (request.listenerCount('error') > 0) request.emit('error', new MalformedBody('the body is not framed as HTTP'));
  else refuse(request, response, refusing);
}

function refuseOnSocket(error: ParserError, socket: Socket, { limits, problemFormats, problemForUnrouted }: RawServerOptions): void {
  if (!socket.writable) return void socket.destroy();
  const line = requestLineOf(error.rawPacket);
  const isUnknownMethod = line !== null && !METHODS.includes(line.method);
  const met = isUnknownMethod ? problemForUnrouted(line.target) : problem(reasonOf(error));
  const answer = line === null ? problemResponseWithoutPath(met) : problemResponse(met, pathOf(line.target), problemFormats);
  writeResponse(socket, answer, limits);
}

function reasonOf(error: ParserError) {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload_too_large';
    default:
      return 'bad_request';
  }
}

const requestLineBytesMax = 4_096;

/** The parser stops at an unknown method, but the packet begins with the complete request line. */
function requestLineOf(packet: Buffer | undefined): { readonly method: string; readonly target: string } | null {
  const match = /^([\w!#$%&'*+.^`|~-]{1,32}) (\/[^\s]*) HTTP\/1\.[01]\r\n/.exec(packet?.toString('latin1', 0, requestLineBytesMax) ?? '');
  return match === null ? null : { method: match[1] ?? '', target: match[2] ?? '' };
}

function writeResponse(socket: Socket, answer: ProblemResponse, { lingerMs }: HttpLimits): void {
  const { headers, body } = serializeResponse(answer);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`, `date: ${realNow().toUTCString()}`, ...lines, '', ''];
  socket.write(head.join('\r\n') + body);
  closeWithLinger(socket, lingerMs);
}

function serializeResponse(answer: ProblemResponse): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const body = jsonText(answer.body);
  const headers = {
    ...answer.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': responsePolicy,
    'request-id': newId(realNow()),
    connection: 'close',
  };
  return { headers, body };
}
