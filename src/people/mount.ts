import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../platform/database/database.ts';
import { apiReasons, isRefusal, isSent, notFound, refuse, type Answer, type Refusal } from '../platform/http/answers.ts';
import { countApiAnswer } from '../platform/http/api-figures.ts';
import { jsonText, parseExactly } from '../platform/http/json.ts';
import { readPublicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { addressHashOf } from './address-hash.ts';
import { keepAudit } from './audit.ts';
import { decideAccess } from './decide-access.ts';
import type { Endpoint } from './endpoint.ts';
import { claimIdempotencyKey, idempotencyKeyLengthMax, keepReply, rightsAt, type IdempotentRequest } from './idempotency.ts';
import type { Identity } from './identity.ts';
import { proofRefusal } from './proof.ts';
import { paramsOf, readInput, requestFactsOf, type Input } from './request-input.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type ApiRoute = { readonly method: Method; readonly path: string; readonly endpoint: Endpoint };
/** The same as a line of a list, its path without what all begin with. */
export type ApiLine = readonly [method: Method, path: string, endpoint: Endpoint];

/** What a low floor needs of higher ones, handed in as functions. */
export type MountOptions = {
  readonly identify: (request: FastifyRequest) => Promise<Identity | null | Refusal>;
  /** The seconds to wait, or null. */
  readonly tooMany: (identity: Identity | null, request: FastifyRequest) => Promise<number | null>;
  readonly storeExists: (db: Queryable, storeId: Id<'store'>) => Promise<boolean>;
  readonly creatorExists: (db: Queryable, creatorId: Id<'crt'>) => Promise<boolean>;
};

/** For operations that need no proof of identity: parsing a megabyte of JSON takes tens of milliseconds. */
const openBodyBytesMax = 16_384;

/** Every operation of the management API goes this one way: who → may → what → do → keep → answer. */
export function mount(app: FastifyInstance, platform: Platform, routes: readonly ApiRoute[], options: MountOptions): void {
  for (const { method, path, endpoint } of routes) {
    app.route({
      // Nobody has to prove anything here, so little is read and parsed.
      ...(endpoint.access.who === 'anyone' ? { bodyLimit: openBodyBytesMax } : {}),
      method,
      url: path,
      onResponse: (request, reply, done) => {
        countApiAnswer(platform.metrics, request, reply);
        done();
      },
      handler: async (request, reply) => send(reply, endpoint, await answer(request, { platform, endpoint, method, ...options })),
    });
  }
}

type Mounted = MountOptions & { readonly platform: Platform; readonly endpoint: Endpoint; readonly method: Method };

async function answer(request: FastifyRequest, mounted: Mounted): Promise<Answer<unknown>> {
  const { platform, endpoint, method } = mounted;
  const identity = await mounted.identify(request);
  if (isRefusal(identity)) return identity;
  const waitSeconds = await mounted.tooMany(identity, request);
  if (waitSeconds !== null) {
    return { ...refuse('too_many_requests', `Too many requests; try again in ${waitSeconds} s.`), retryAfterSeconds: waitSeconds };
  }
  const refused =
    (await accessRefusal(request, identity, mounted)) ??
    proofRefusal(endpoint, { identity, mode: platform.config.mode, accept: request.headers.accept ?? '', now: realNow() });
  if (refused) return refused;
  const input = readInput(request, endpoint);
  if (isRefusal(input)) return input;

  const asked = {
    platform,
    db: platform.database,
    now: platform.clock.now(),
    identity,
    ...input,
    request: requestFactsOf(request, endpoint),
  };
  const prepared = endpoint.prepare === null ? undefined : await endpoint.prepare(asked as never);
  if (isRefusal(prepared)) return prepared;
  const work = async (db: Queryable) => {
    const now = platform.clock.now();
    const result = await endpoint.handle({ ...asked, db, now, prepared } as never);
    if (!isRefusal(result) && endpoint.audit !== null) await audit(db, request, { platform, endpoint, identity, now, input, result });
    return result;
  };
  if (method === 'GET' || !isInTransaction(endpoint, input)) return work(platform.database);
  const made = await inTransaction(request, identity, mounted, work);
  if (endpoint.afterCommit === null || isRefusal(made)) return made;
  return endpoint.afterCommit({ ...asked, prepared } as never, madeOf(made) as never);
}

/** What was made, also where it was made before and its kept answer is given again. */
const madeOf = (made: Answer<unknown>): unknown => (isSent(made) && typeof made.body === 'string' ? parseExactly(made.body) : made);

const isInTransaction = ({ inTransaction: rule }: Endpoint, { body }: Input): boolean =>
  typeof rule === 'function' ? rule(body as never) : rule;

async function accessRefusal(request: FastifyRequest, identity: Identity | null, mounted: Mounted): Promise<Refusal | null> {
  const { access } = mounted.endpoint;
  const params = paramsOf(request);
  const storeId = access.who === 'store' ? readPublicId('store', params['store'] ?? '') : null;
  const namesCreator = access.who === 'creator' || (access.who === 'operator' && access.of === 'creator');
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
      return notFound;
    case 'not_signed_in':
      return notSignedIn(request);
    case 'second_factor_setup_required':
      return secondFactorMissing;
    case 'operator_only':
      return refuse('operator_only', 'Only an operator may do this.');
    case 'permission_missing':
      return refuse(
        'permission_missing',
        `This needs the permission ${'permission' in access ? access.permission : 'of a signed-in person'}.`,
      );
  }
}

const secondFactorMissing = refuse(
  'second_factor_setup_required',
  'In live mode operators need a second factor. Set one up first: POST /api/v1/second-factor, then confirm it with a code.',
);

/** Whoever sent a key that opens nothing looks for the fault in the key. */
function notSignedIn({ headers }: FastifyRequest): Refusal {
  if (headers.authorization === undefined) return refuse('not_signed_in', 'Sign in, or send an API key as "Authorization: Bearer trb_…".');
  const message = 'What stands in the Authorization header is no API key that works: it must be "Bearer trb_…", whole and not revoked.';
  return refuse('not_signed_in', message);
}

/** A refusal leaves nothing behind: it rolls back. So it travels through the transaction as what it is not elsewhere, an exception. */
class RolledBack extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

async function inTransaction(
  request: FastifyRequest,
  identity: Identity | null,
  { platform, method, endpoint }: Mounted,
  work: (db: Queryable) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const idempotent = method === 'POST' && endpoint.access.who !== 'anyone' ? idempotencyOf(request, identity) : null;
  if (isRefusal(idempotent)) return idempotent;
  try {
    return await platform.database.transaction(async (tx) => {
      const replay = idempotent && (await replayOf(tx, platform, idempotent));
      if (replay) return replay;
      const result = await work(tx);
      if (isRefusal(result)) throw new RolledBack(result);
      if (idempotent) await keepReply(tx, platform.secrets, idempotent, { status: endpoint.status, body: bodyText(result) });
      return result;
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    await error.refusal.afterRollback?.();
    return error.refusal;
  }
}

/** Only for whom we know: a key of nobody's would be everybody's. */
function idempotencyOf(request: FastifyRequest, identity: Identity | null): IdempotentRequest | Refusal | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || identity === null) return null;
  if (key.length === 0 || key.length > idempotencyKeyLengthMax) {
    const message = `has 1 to ${idempotencyKeyLengthMax} characters`;
    return refuse('invalid_request', 'The Idempotency-Key is not right; see errors.', [{ field: 'Idempotency-Key', message }]);
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const { store = '', creator = '' } = paramsOf(request);
  const rights = rightsAt(identity, { storeId: readPublicId('store', store), creatorId: readPublicId('crt', creator) });
  return { actor: identity.actor, key, method: request.method, url: request.url, body, rights };
}

async function replayOf(tx: Queryable, platform: Platform, request: IdempotentRequest): Promise<Answer<unknown> | null> {
  const repetition = await claimIdempotencyKey(tx, platform.secrets, request, platform.clock.now());
  switch (repetition.is) {
    case 'first':
      return null;
    case 'other request':
      return refuse('idempotency_key_reused', 'This Idempotency-Key was sent before with another request; use a new key.');
    case 'right lost':
      return refuse('permission_missing', 'The answer to this Idempotency-Key was given under a permission that you no longer have.');
    case 'replay': {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'idempotent-replayed': 'true' };
      return { answerIs: 'sent', status: repetition.status, headers, body: repetition.reply };
    }
  }
}

const bodyText = (result: Answer<unknown>): string => jsonText(isSent(result) ? result.body : result);

type Audited = {
  readonly platform: Platform;
  readonly endpoint: Endpoint;
  readonly identity: Identity | null;
  readonly now: Date;
  readonly input: Input;
  readonly result: unknown;
};

async function audit(db: Queryable, request: FastifyRequest, { platform, endpoint, identity, now, input, result }: Audited): Promise<void> {
  await keepAudit(db, {
    at: now,
    actor: identity?.actor ?? 'nobody',
    actorName: identity?.name ?? 'not signed in',
    storeId: (input.ids['store'] as Id<'store'> | undefined) ?? null,
    creatorId: (input.ids['creator'] as Id<'crt'> | undefined) ?? null,
    action: endpoint.audit ?? '',
    subject: subjectOf(request, result),
    details: input.body ?? {},
    requestId: request.id,
    addressHash: addressHashOf(platform.secrets, request.ip),
  });
}

/** The path names what was changed. What was made has its id only in the answer. */
function subjectOf(request: FastifyRequest, result: unknown): string {
  const path = request.url.split('?')[0] ?? '';
  const isMade = request.method === 'POST' && typeof result === 'object' && result !== null && 'id' in result;
  return isMade && typeof result.id === 'string' ? `${path}/${result.id}` : path;
}

/** Answers hold what only their reader may see: no other origin's page may embed them, and no address of theirs is passed on. */
const everyAnswer = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer' };

/** A browser's own viewer of PDFs draws with scripts and styles, which the policy of other answers forbids; it may still not be framed. */
const pdfPolicy = "frame-ancestors 'none'";

function send(reply: FastifyReply, endpoint: Endpoint, result: Answer<unknown>): FastifyReply {
  reply.headers(everyAnswer);
  if (isRefusal(result)) {
    if (result.retryAfterSeconds !== undefined) reply.header('retry-after', String(result.retryAfterSeconds));
    const { reason, message, errors } = result;
    return reply.status(apiReasons[reason]).send({ ok: false, reason, message, errors });
  }
  if (isSent(result)) {
    reply.status(result.status ?? endpoint.status).headers(result.headers);
    if (result.headers['content-type'] === 'application/pdf') reply.header('content-security-policy', pdfPolicy);
    if (result.body instanceof Readable) endWith(reply, result.body);
    return reply.send(result.body);
  }
  return reply.status(endpoint.status).send(endpoint.status === 204 ? undefined : result);
}

/** Nobody reads a stream on when its answer is over: a HEAD is answered without a body, and what never ends would be made for ever. */
const endWith = (reply: FastifyReply, body: Readable): void => void finished(reply.raw, () => body.destroy());
