import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Late } from '../platform/faults.ts';
import { inviteBody, readBody } from '../platform/http/body.ts';
import { traceOf } from '../platform/http/trace.ts';
import { must } from '../platform/must.ts';
import type { Fields, JsonObject } from './fields.ts';
import { openDoor, readReport, type KeyLookUp } from './gates.ts';
import { statusOf, type Operation, type Reason, type Refusal, type Status } from './reasons.ts';
import type { Places } from './places.ts';
import { postbackBytesMax } from './limits.ts';
import { contractPrefix, replyOf, type Outcome } from './reply.ts';

/** What the door needs of higher floors, handed in as functions. */
export type Door<Integration> = {
  readonly lookUp: KeyLookUp<Integration>;
  /** Taken before anything is read but headers, so that nobody waits in vain. */
  readonly places: Places;
  /** In how many seconds whoever found no room is to come again. */
  readonly comeAgainIn: (nowMs: number) => number;
  readonly now: () => Date;
  /** One that proved its key has its answer, so long after its headers arrived. */
  readonly onAnswered: (answered: Answered) => void;
  /** Keeps the line of an answer that its handler did not keep itself. Where it fails, the answer is 503. */
  readonly onAuthenticated: (answer: AuthenticatedAnswer<Integration>) => Promise<void>;
  /** Counts who was turned away before we knew whose request it was. */
  readonly onRefusedAtDoor: (reason: Refusal) => void;
  readonly onFault: (error: unknown, at: { readonly requestId: string; readonly trace?: string; readonly operation: Operation }) => void;
};

export type Answered = { readonly operation: Operation; readonly status: Status; readonly reason: Reason; readonly tookMs: number };

/** A request of which the sender is known. */
type Visit<Integration> = {
  readonly operation: Operation;
  readonly integration: Integration;
  readonly requestId: string;
  readonly receivedAt: Date;
  /** The fields that the operation reads. */
  readonly fields: Fields;
  /** Headers that only a browser sends: the key leaked into a page. */
  readonly origin: string | null;
  readonly secFetchSite: string | null;
};

/** A report that passed gates 1 to 6 and is a JSON object. */
export type Postback<Integration> = Visit<Integration> & {
  readonly json: JsonObject;
  /** The body as received, for the tracking log. */
  readonly bytes: Buffer;
  /** When its headers arrived, on the scale of performance.now(). */
  readonly startedAt: number;
};

type PostbackHandler<Integration> = (postback: Postback<Integration>) => Promise<Outcome>;

export type AuthenticatedAnswer<Integration> = Visit<Integration> & {
  readonly outcome: Outcome;
  readonly status: number;
  readonly latencyMs: number;
  /** Null where the body was not read. */
  readonly bytes: Buffer | null;
  /** Null where it was not read as an object. */
  readonly json: JsonObject | null;
};

export type PostbackRoute<Integration> = {
  /** Below the tracking key, such as `conversions`. */
  readonly path: string;
  readonly operation: Operation;
  /** What a merchant is warned by: a field that is none of these is probably a typing error. */
  readonly fields: Fields;
  readonly handle: PostbackHandler<Integration>;
};

/** Our part of an answer: the key, the decision, the commit. Below the 5 s promised; the sender's part, the body, has its own limit. */
const answerMsMax = 4_500;

/** Six routes, the gates before each, and a "not found" for every other address of the contract. */
export function registerPostbacks<Integration>(
  app: FastifyInstance,
  door: Door<Integration>,
  routes: readonly PostbackRoute<Integration>[],
): void {
  for (const route of routes) {
    app.route<{ Params: { readonly trackingKey: string } }>({
      method: 'POST',
      url: `${contractPrefix}postbacks/:trackingKey/${route.path}`,
      // All in onRequest: Fastify would read the body before a handler and judge its type before its size.
      onRequest: (request, reply) => {
        const { trackingKey } = request.params;
        // `postbacks//conversions` is another path.
        if (trackingKey === '') return void reply.callNotFound();
        const leave = door.places.take(trackingKey);
        receive(door, route, { request, reply, trackingKey, isFull: leave === null })
          .catch((error: unknown) => reply.send(error))
          .finally(() => leave?.());
      },
      handler: () => must(false, 'a postback is answered before its handler'),
    });
  }
  // A page of the dashboards may be known by a wildcard; no address here may be taken for one.
  const notFound = (_request: FastifyRequest, reply: FastifyReply): void => void reply.callNotFound();
  app.route({ method: app.supportedMethods, url: `${contractPrefix}*`, onRequest: notFound, handler: notFound });
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly trackingKey: string; readonly isFull: boolean };

/** The gates in their order, then the operation. What is answered after the key is told to the tracking log. */
async function receive<Integration>(door: Door<Integration>, route: PostbackRoute<Integration>, exchange: Exchange): Promise<void> {
  const { request, reply, trackingKey, isFull } = exchange;
  const { operation } = route;
  const startedAt = performance.now();
  const fault = (error: unknown): void => door.onFault(error, { requestId: request.id, ...traceOf(request.headers), operation });
  const turnAway = (reason: Refusal, waitSeconds?: number): void => {
    door.onRefusedAtDoor(reason);
    send(reply, operation, { reason, waitSeconds });
  };
  if (isFull) return turnAway('temporarily_unavailable', door.comeAgainIn(startedAt));

  const opened = await inTime(() => openDoor({ trackingKey, headers: request.headers }, door.lookUp), answerMsMax, fault);
  if (opened === null) return turnAway('temporarily_unavailable');
  if (opened.is === 'turned away') return turnAway(opened.reason);

  const lookUpMs = performance.now() - startedAt;
  const read: Read =
    opened.closed === null ? await readRequest(exchange) : { is: 'refused', outcome: { reason: opened.closed }, bytes: null };
  if (read.is === 'cut') return;
  const visit: Visit<Integration> = {
    ...visitOf(request),
    operation,
    fields: route.fields,
    integration: opened.integration,
    receivedAt: door.now(),
  };
  const judge = async (): Promise<Outcome> => {
    const outcome = read.is === 'refused' ? read.outcome : await route.handle({ ...visit, json: read.json, bytes: read.bytes, startedAt });
    const status = statusOf(outcome.reason, operation);
    if (outcome.isLogged || status === 503) return outcome;
    const json = read.is === 'report' ? read.json : null;
    await door.onAuthenticated({ ...visit, outcome, status, latencyMs: performance.now() - startedAt, bytes: read.bytes, json });
    return outcome;
  };
  const outcome: Outcome = (await inTime(judge, answerMsMax - lookUpMs, fault)) ?? { reason: 'temporarily_unavailable' };
  send(reply, operation, outcome);
  const { reason } = outcome;
  door.onAnswered({ operation, status: statusOf(reason, operation), reason, tookMs: performance.now() - startedAt });
}

type Read =
  | { readonly is: 'report'; readonly json: JsonObject; readonly bytes: Buffer }
  | { readonly is: 'refused'; readonly outcome: Outcome; readonly bytes: Buffer | null }
  | { readonly is: 'cut' };

/** Gates 5 to 7. */
async function readRequest({ request, reply }: Exchange): Promise<Read> {
  // Refused by the parser while the key was looked up, and answered there.
  if (reply.sent) return { is: 'cut' };
  // A body that announces its size is refused before it is asked for.
  if (Number(request.headers['content-length'] ?? 0) <= postbackBytesMax) inviteBody(request.raw, reply.raw);
  const body = await readBody(request.raw, postbackBytesMax);
  switch (body.is) {
    case 'cut':
      return { is: 'cut' };
    case 'malformed':
      return { is: 'refused', outcome: { reason: 'bad_request' }, bytes: null };
    case 'too large':
      return { is: 'refused', outcome: { reason: 'payload_too_large' }, bytes: null };
    case 'whole':
      return { ...readReport(request.headers, body.bytes), bytes: body.bytes };
  }
}

function visitOf(request: FastifyRequest): Pick<Visit<unknown>, 'requestId' | 'origin' | 'secFetchSite'> {
  const { origin, 'sec-fetch-site': secFetchSite } = request.headers;
  return { requestId: request.id, origin: origin ?? null, secFetchSite: typeof secFetchSite === 'string' ? secFetchSite : null };
}

/** Null where it failed or is late: a fault of ours, and the sender comes again. What it still does is settled by the replay. */
async function inTime<Value>(work: () => Promise<Value>, msMax: number, fault: (error: unknown) => void): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      fault(new Late(`no answer within ${Math.round(msMax)} ms`));
      resolve(null);
    }, msMax);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    fault(error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function send(reply: FastifyReply, operation: Operation, outcome: Outcome): void {
  // The parser may have refused the rest of the request meanwhile, and answered.
  if (reply.sent) return;
  const { status, headers, body } = replyOf(outcome, operation);
  // Nothing in it is a bigint, so that it needs no replacer, which takes several times as long.
  reply.code(status).headers(headers).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}
