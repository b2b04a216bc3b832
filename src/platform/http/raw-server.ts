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
import { newId } from '../ids.ts';
import { realNow } from '../time.ts';
import { answersPolicy } from './answers-policy.ts';
import { endSoftly, holdBack, isLingering, MalformedBody, markMalformed } from './body.ts';
import { jsonText } from './json.ts';
import type { HttpLimits } from './limits.ts';
import { connectionsMaxOfEach } from './listeners.ts';
import { answerTo, answerToNobodyKnowsWhom, pathOf, problem, type Dialect, type Problem, type ProblemAnswer } from './problem.ts';

export type RawServerOptions = {
  readonly limits: HttpLimits;
  /** It is one of so many that share a port. */
  readonly listeners: number;
  readonly dialects: readonly Dialect[];
  /** What an address says to a method it does not have. */
  readonly problemOfUnrouted: (target: string) => Problem;
};

/** Node's own server, with everything replaced that it would answer without JSON, or not at all. */
export function createRawServer(listener: RequestListener, options: RawServerOptions): Server {
  const { limits } = options;
  const exchanges = new WeakMap<Socket, Exchange>();
  const receive: RequestListener = (request, response) => {
    exchanges.set(request.socket, { request, response });
    if (hostsMissingOrTwice(request)) refuse(request, response, options);
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
      // Some clients offer HTTP/2 in their first request (Java's does). An upgrade is never taken; the request is an ordinary one.
      shouldUpgradeCallback: () => false,
    },
    receive,
  );
  server.setTimeout(limits.silenceMs);
  server.maxConnections = connectionsMaxOfEach(limits.connectionsMax, options.listeners);
  // Headers are bounded by their bytes. A limit on their number would drop those above it in silence, the key among them.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
    holdBack(request);
    receive(request, response);
  });
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1), and an order is worth more than a 417.
  server.on('checkExpectation', receive);
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    writeAnswer(socket, answerToNobodyKnowsWhom(problem('not_found')), limits);
  });
  server.on('clientError', (error: ParserError, socket: Socket) => onParserError(error, socket, { ...options, exchanges }));
  return server;
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer };
type Refusing = RawServerOptions & { readonly exchanges: WeakMap<Socket, Exchange> };

/** A client that has said all it has to say and closes its side still wants the answer. */
function allowHalfOpen(server: Server & { httpAllowHalfOpen?: boolean }): void {
  server.httpAllowHalfOpen = true;
}

function hostsMissingOrTwice({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor === 1 && httpVersionMinor === 0) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts !== 1;
}

function refuse(request: IncomingMessage, response: ServerResponse, { dialects }: RawServerOptions): void {
  const answer = answerTo(problem('bad_request'), pathOf(request.url ?? ''), dialects);
  const { headers, body } = written(answer);
  response.writeHead(answer.status, headers).end(body);
}

const refused = new WeakSet<Socket>();

/**
 * What the parser cannot read. The answer must not overtake one that is still due on the same connection, or a good
 * order would be taken for a bad one.
 */
function onParserError(error: ParserError, socket: Socket, refusing: Refusing): void {
  // Too slow: cut without a status.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.destroy();
  // Refused once is enough; and while a connection lingers after its answer, what still comes is dropped.
  if (refused.has(socket) || isLingering(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  refused.add(socket);

  const exchange = refusing.exchanges.get(socket);
  if (exchange === undefined || exchange.response.closed) return refuseOnSocket(error, socket, refusing);
  const { request, response } = exchange;
  if (request.complete) return void response.once('close', () => refuseOnSocket(error, socket, refusing));
  if (response.headersSent) return endSoftly(socket, refusing.limits.lingerMs);
  markMalformed(request);
  // Whoever is reading the body answers itself: the postback door keeps a line of it. Else it is answered here.
  if (request.listenerCount('error') > 0) request.emit('error', new MalformedBody('the body is not framed as HTTP'));
  else refuse(request, response, refusing);
}

function refuseOnSocket(error: ParserError, socket: Socket, { limits, dialects, problemOfUnrouted }: Refusing): void {
  if (!socket.writable) return void socket.destroy();
  const line = requestLineOf(error.rawPacket);
  const isUnknownMethod = line !== null && !METHODS.includes(line.method);
  const met = isUnknownMethod ? problemOfUnrouted(line.target) : problem(reasonOf(error));
  const answer = line === null ? answerToNobodyKnowsWhom(met) : answerTo(met, pathOf(line.target), dialects);
  writeAnswer(socket, answer, limits);
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

/** The parser stops at a method it does not know; what it was given still begins with the whole line. */
function requestLineOf(packet: Buffer | undefined): { readonly method: string; readonly target: string } | null {
  const match = /^([\w!#$%&'*+.^`|~-]{1,32}) (\/[^\s]*) HTTP\/1\.[01]\r\n/.exec(packet?.toString('latin1', 0, requestLineBytesMax) ?? '');
  return match === null ? null : { method: match[1] ?? '', target: match[2] ?? '' };
}

function writeAnswer(socket: Socket, answer: ProblemAnswer, { lingerMs }: HttpLimits): void {
  const { headers, body } = written(answer);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`, `date: ${realNow().toUTCString()}`, ...lines, '', ''];
  socket.write(head.join('\r\n') + body);
  endSoftly(socket, lingerMs);
}

function written(answer: ProblemAnswer): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const body = jsonText(answer.body);
  const headers = {
    ...answer.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': answersPolicy,
    'request-id': newId(realNow()),
    connection: 'close',
  };
  return { headers, body };
}
