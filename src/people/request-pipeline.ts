import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Queryable } from '../db/database.ts';
import { apiReasons, isRefusal, isSent, notFound, refuse, type Answer, type Refusal } from '../http/responses.ts';
import { countApiResponse } from '../http/api-metrics.ts';
import { releaseWhenDone, trackHandler } from '../http/release-when-done.ts';
import { jsonText, parseExactly } from '../core/json.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { realNow } from '../core/time.ts';
import { hashAddress } from './address-hash.ts';
import type { AuditAction } from './audit-actions.ts';
import { recordAuditEntry } from './audit.ts';
import { decideAccess } from './decide-access.ts';
import type { Endpoint } from './endpoint.ts';
import { claimIdempotencyKey, idempotencyKeyLengthMax, saveReply, rightsFor, type IdempotentRequest } from './idempotency.ts';
import type { Identity } from './identity.ts';
import { pathParams, readInput, readRequestFacts, type RequestInput } from './request-input.ts';
import type { RateLimitExcess } from './request-limits.ts';
import { logSecurityEvent } from './security-events.ts';
import { proofRefusal } from './proof.ts';
import { apiMessage } from '../messages/api-message.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type ApiRoute = { readonly method: Method; readonly path: string; readonly endpoint: Endpoint };
/** An entry of the route lists in src/app/routes/; the path has no `/api/v1`. */
export type RouteEntry = readonly [method: Method, path: string, endpoint: Endpoint];

/** Functions of higher layers that the pipeline calls. */
export type PipelineOptions = {
  readonly identify: (request: FastifyRequest) => Promise<Identity | null | Refusal>;
  readonly limitRequests: (identity: Identity | null, request: FastifyRequest) => Promise<RateLimitExcess | null>;
  readonly storeExists: (db: Queryable, storeId: Id<'store'>) => Promise<boolean>;
  readonly creatorExists: (db: Queryable, creatorId: Id<'crt'>) => Promise<boolean>;
};

/** Applies to public operations, because parsing a megabyte of JSON takes tens of milliseconds. */
const anonymousBodyBytesMax = 16_384;

/**
 * Every operation of the management API takes these steps: identify the sender, limit the rate, authorize, require a recent proof, parse
 * the input, prepare, handle in a transaction (with idempotency key and audit entry), work after the commit, send the response.
 */
export function mountApi(app: FastifyInstance, platform: Platform, routes: readonly ApiRoute[], options: PipelineOptions): void {
  const uploads = limitUploads();
  for (const { method, path, endpoint } of routes) {
    const mounted = { platform, endpoint, method, ...options };
    app.route({
      ...(endpoint.access.allow === 'anyone' ? { bodyLimit: anonymousBodyBytesMax } : {}),
      ...(endpoint.uploadBytesMax === null ? {} : uploadOptions(mounted, { bytesMax: endpoint.uploadBytesMax, uploads })),
      method,
      url: path,
      onResponse: (request, reply, done) => {
        countApiResponse(platform.metrics, request, reply);
        done();
      },
      handler: async (request, reply) => {
        const result = handleRequest(request, mounted);
        trackHandler(reply.raw, result);
        return sendResponse(reply, endpoint, await result);
      },
    });
  }
}

type MountedEndpoint = PipelineOptions & { readonly platform: Platform; readonly endpoint: Endpoint; readonly method: Method };

async function handleRequest(request: FastifyRequest, mounted: MountedEndpoint): Promise<Answer<unknown>> {
  const { identity, refusal } = admissions.get(request) ?? (await admit(request, mounted));
  const result = refusal ?? (await runPipeline(request, identity, mounted));
  if (isRefusal(result)) logSecurityEvent(mounted.platform, { request, access: mounted.endpoint.access, identity, refusal: result });
  return result;
}

/** Who sends the request, and why it is refused before its input is read, if it is. */
type Admission = { readonly identity: Identity | null; readonly refusal: Refusal | null };

async function admit(request: FastifyRequest, mounted: MountedEndpoint): Promise<Admission> {
  const { platform, endpoint } = mounted;
  const identity = await mounted.identify(request);
  if (isRefusal(identity)) return { identity: null, refusal: identity };
  const excess = await mounted.limitRequests(identity, request);
  if (excess !== null) return { identity, refusal: tooManyRequests(excess) };
  const refusal =
    (await authorize(request, identity, mounted)) ??
    proofRefusal(endpoint, { identity, mode: platform.config.mode, accept: request.headers.accept ?? '', now: realNow() });
  return { identity, refusal };
}

/** Limits the memory of the process: each upload is in memory until it is stored. */
const uploadsAtOnceMax = 8;
const uploadWaitSeconds = 2;

/** Counts the uploads of this process. Returns whether one more may start; it counts until its file is no longer used. */
function limitUploads(): (reply: FastifyReply) => boolean {
  let running = 0;
  return ({ raw }) => {
    if (running >= uploadsAtOnceMax) return false;
    running += 1;
    releaseWhenDone(raw, () => void (running -= 1));
    return true;
  };
}

type UploadRule = { readonly bytesMax: number; readonly uploads: (reply: FastifyReply) => boolean };

/** Admits the sender before the file is read, so that anonymous senders cannot make the service receive and hold megabytes. */
const uploadOptions = (mounted: MountedEndpoint, { bytesMax, uploads }: UploadRule) => ({
  bodyLimit: bytesMax,
  config: { acceptsFiles: true },
  onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
    const { identity, refusal } = await admit(request, mounted);
    admissions.set(request, { identity, refusal: refusal ?? (uploads(reply) ? null : tooManyUploads) });
    if (admissions.get(request)?.refusal !== null) await sendResponse(reply, mounted.endpoint, await handleRequest(request, mounted));
  },
});

/** Of uploads, from before the body is read until the request is handled. */
const admissions = new WeakMap<FastifyRequest, Admission>();

const tooManyUploads: Refusal = {
  ...refuse('temporarily_unavailable', apiMessage('request_pipeline.too_many_files_uploaded')),
  retryAfterSeconds: uploadWaitSeconds,
};

async function runPipeline(request: FastifyRequest, identity: Identity | null, mounted: MountedEndpoint): Promise<Answer<unknown>> {
  const { platform, endpoint, method } = mounted;
  const input = readInput(request, endpoint);
  if (isRefusal(input)) return input;

  const database = databaseFor(input, mounted);
  const context = {
    platform,
    db: database,
    now: platform.clock.now(),
    identity,
    ...input,
    request: readRequestFacts(request, endpoint),
  };
  const prepared = endpoint.prepare === null ? undefined : await endpoint.prepare(context as never);
  if (isRefusal(prepared)) return prepared;
  const execute = async (db: Queryable) => {
    const now = platform.clock.now();
    const result = await endpoint.handle({ ...context, db, now, prepared } as never);
    const { audit: action } = endpoint;
    if (!isRefusal(result) && action !== null) await recordAudit(db, request, { platform, endpoint, action, identity, now, input, result });
    return result;
  };
  if (method === 'GET' || !runsInTransaction(endpoint, input)) return execute(database);
  const result = await executeInTransaction(request, identity, mounted, execute);
  if (endpoint.afterCommit === null || isRefusal(result)) return result;
  return endpoint.afterCommit({ ...context, prepared } as never, committedResult(result) as never);
}

/** Reads of a store run on its node. Changes also write the audit log and the queue, which are on the node of `platform.database`. */
function databaseFor({ ids }: RequestInput, { platform, endpoint, method }: MountedEndpoint): Database {
  if (method !== 'GET' || endpoint.access.allow !== 'store') return platform.database;
  return platform.tenants.nodeOf(ids['store'] as Id<'store'>).database;
}

/** Only the first request above the limit in each second is logged. */
const tooManyRequests = ({ waitSeconds, isFirst }: RateLimitExcess): Refusal => ({
  ...refuse('too_many_requests', apiMessage('request_pipeline.too_many_requests_try_again', { waitSeconds })),
  retryAfterSeconds: waitSeconds,
  security: { event: isFirst ? 'requests_limited' : 'none' },
});

/** The result of the handler; for a repeated request, the stored result of the first one. */
const committedResult = (result: Answer<unknown>): unknown =>
  isSent(result) && typeof result.body === 'string' ? parseExactly(result.body) : result;

const runsInTransaction = ({ inTransaction: rule }: Endpoint, { body }: RequestInput): boolean =>
  typeof rule === 'function' ? rule(body as never) : rule;

async function authorize(request: FastifyRequest, identity: Identity | null, mounted: MountedEndpoint): Promise<Refusal | null> {
  const { access } = mounted.endpoint;
  const params = pathParams(request);
  const storeId = access.allow === 'store' ? readPublicId('store', params['store'] ?? '') : null;
  const namesCreator = access.allow === 'creator' || (access.allow === 'operator' && access.of === 'creator');
  const creatorId = namesCreator ? readPublicId('crt', params['creator'] ?? '') : null;
  const { database } = mounted.platform;
  const subjectExists =
    identity?.isOperator === true &&
    ((storeId !== null && (await mounted.storeExists(database, storeId))) ||
      (creatorId !== null && (await mounted.creatorExists(database, creatorId))));
  const decision = decideAccess(access, { identity, storeId, creatorId, subjectExists });
  switch (decision) {
    case 'allowed':
      return null;
    case 'not_found':
      return { ...notFound, security: { event: 'access_refused' } };
    case 'not_signed_in':
      return notSignedIn(request);
    case 'second_factor_setup_required':
      return secondFactorSetupRequired;
    case 'operator_only':
      return refuse('operator_only', apiMessage('request_pipeline.only_operators_can_do_this'));
    case 'permission_missing':
      return refuse(
        'permission_missing',
        apiMessage('request_pipeline.needs_permission', {
          permission: 'permission' in access ? access.permission : apiMessage('request_pipeline.permission_of_person'),
        }),
      );
  }
}

const secondFactorSetupRequired = refuse('second_factor_setup_required', apiMessage('request_pipeline.live_mode_operators_must_use'));

/** The message distinguishes a missing API key from an invalid one. */
function notSignedIn({ headers }: FastifyRequest): Refusal {
  if (headers.authorization === undefined)
    return refuse('not_signed_in', apiMessage('request_pipeline.authentication_required_sign_in_or'));
  const message = apiMessage('request_pipeline.api_key_authorization_header_invalid');
  return refuse('not_signed_in', message);
}

/** Only an exception rolls the transaction back, so this carries a refusal out of it. */
class RollbackError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

async function executeInTransaction(
  request: FastifyRequest,
  identity: Identity | null,
  { platform, method, endpoint }: MountedEndpoint,
  execute: (db: Queryable) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const idempotent = method === 'POST' && endpoint.access.allow !== 'anyone' ? readIdempotencyKey(request, identity) : null;
  if (isRefusal(idempotent)) return idempotent;
  try {
    return await platform.database.transaction(async (tx) => {
      const replay = idempotent && (await claimOrReplay(tx, platform, idempotent));
      if (replay) return replay;
      const result = await execute(tx);
      if (isRefusal(result)) throw new RollbackError(result);
      if (idempotent) await saveReply(tx, platform.secrets, idempotent, { status: endpoint.status, body: serializeBody(result) });
      return result;
    });
  } catch (error) {
    if (!(error instanceof RollbackError)) throw error;
    await error.refusal.afterRollback?.();
    return error.refusal;
  }
}

/** Ignored without an identity: keys of anonymous senders would be shared by all of them. */
function readIdempotencyKey(request: FastifyRequest, identity: Identity | null): IdempotentRequest | Refusal | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || identity === null) return null;
  if (key.length === 0 || key.length > idempotencyKeyLengthMax) {
    const message = `has 1 to ${idempotencyKeyLengthMax} characters`;
    return refuse('invalid_request', apiMessage('request_pipeline.idempotency_key_invalid_see_errors'), [
      { field: 'Idempotency-Key', message },
    ]);
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const { store = '', creator = '' } = pathParams(request);
  const rights = rightsFor(identity, { storeId: readPublicId('store', store), creatorId: readPublicId('crt', creator) });
  return { actor: identity.actor, key, method: request.method, url: request.url, body, rights };
}

async function claimOrReplay(tx: Queryable, platform: Platform, request: IdempotentRequest): Promise<Answer<unknown> | null> {
  const repetition = await claimIdempotencyKey(tx, platform.secrets, request, platform.clock.now());
  switch (repetition.is) {
    case 'first':
      return null;
    case 'other request':
      return refuse('idempotency_key_reused', apiMessage('request_pipeline.idempotency_key_already_used_for_differe'));
    case 'right lost':
      return refuse('permission_missing', apiMessage('request_pipeline.you_no_longer_have_permission'));
    case 'replay': {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'idempotent-replayed': 'true' };
      return { answerIs: 'sent', status: repetition.status, headers, body: repetition.reply };
    }
  }
}

const serializeBody = (result: Answer<unknown>): string => jsonText(isSent(result) ? result.body : result);

type AuditFacts = {
  readonly platform: Platform;
  readonly endpoint: Endpoint;
  readonly action: AuditAction;
  readonly identity: Identity | null;
  readonly now: Date;
  readonly input: RequestInput;
  readonly result: unknown;
};

async function recordAudit(
  db: Queryable,
  request: FastifyRequest,
  { platform, endpoint, action, identity, now, input, result }: AuditFacts,
): Promise<void> {
  await recordAuditEntry(db, {
    at: now,
    actor: identity?.actor ?? 'nobody',
    actorName: identity?.name ?? 'not signed in',
    storeId: (input.ids['store'] as Id<'store'> | undefined) ?? null,
    creatorId: (input.ids['creator'] as Id<'crt'> | undefined) ?? null,
    action,
    subject: auditSubject(request, result),
    details: input.body ?? (endpoint.uploadBytesMax === null ? {} : input.query),
    requestId: request.id,
    addressHash: hashAddress(platform.secrets, request.ip),
  });
}

/** The path names a changed resource. The ID of a created one is only in the result. */
function auditSubject(request: FastifyRequest, result: unknown): string {
  const path = request.url.split('?')[0] ?? '';
  const isCreated = request.method === 'POST' && typeof result === 'object' && result !== null && 'id' in result;
  return isCreated && typeof result.id === 'string' ? `${path}/${result.id}` : path;
}

/** Responses are private: other origins must not embed them, caches must not store them, and their URLs are not sent as referrers. */
const commonHeaders = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer' };

/** Browsers display PDFs with their own scripts and styles, which the policy of other responses forbids. Framing stays forbidden. */
const pdfPolicy = "frame-ancestors 'none'";

function sendResponse(reply: FastifyReply, endpoint: Endpoint, result: Answer<unknown>): FastifyReply {
  reply.headers(commonHeaders);
  if (isRefusal(result)) {
    if (result.retryAfterSeconds !== undefined) reply.header('retry-after', String(result.retryAfterSeconds));
    const { reason, message, errors } = result;
    return reply.status(apiReasons[reason]).send({ ok: false, reason, message, errors });
  }
  if (isSent(result)) {
    reply.status(result.status ?? endpoint.status).headers(result.headers);
    const isOwnPdf = result.headers['content-type'] === 'application/pdf' && result.headers['content-security-policy'] === undefined;
    if (isOwnPdf) reply.header('content-security-policy', pdfPolicy);
    if (result.body instanceof Readable) destroyWhenClosed(reply, result.body);
    return reply.send(result.body);
  }
  return reply.status(endpoint.status).send(endpoint.status === 204 ? undefined : result);
}

/** Destroys the stream when the response ends early, such as for a HEAD request or a closed connection; otherwise it would never stop. */
const destroyWhenClosed = (reply: FastifyReply, body: Readable): void => void finished(reply.raw, () => body.destroy());
