import { createHash } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import type { Rights } from './identity.ts';
import { insertIdempotencyKey, getStoredReply, updateReply } from './idempotency-sql.ts';

/**
 * `Idempotency-Key`: the response to a request that created something is stored in the transaction that created it. A second request with
 * the key waits for the commit of the first and receives the same response.
 */
export type IdempotencyResult =
  | { readonly is: 'first' }
  | { readonly is: 'replay'; readonly status: number; readonly reply: string }
  | { readonly is: 'other request' }
  /** The actor has lost a right that the first response depended on. */
  | { readonly is: 'right lost' };

export type IdempotentRequest = {
  readonly actor: string;
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly body: Buffer;
  /** The actor's current rights in the request's store or creator, see rightsAt. */
  readonly rights: readonly string[];
};

export const idempotencyKeyLengthMax = 255;

export async function claimIdempotencyKey(
  db: Queryable,
  secrets: Secrets,
  request: IdempotentRequest,
  now: Date,
): Promise<IdempotencyResult> {
  const ofActor = { actor: request.actor, keyHash: digest(request.key) };
  const requestHash = digest(request.method, request.url, request.body);
  if ((await insertIdempotencyKey(db, { ...ofActor, requestHash, now })) === 1) return { is: 'first' };
  const earlier = await getStoredReply(db, ofActor);
  if (!earlier.requestHash.equals(requestHash)) return { is: 'other request' };
  if (earlier.rights?.some((right) => !request.rights.includes(right))) return { is: 'right lost' };
  return { is: 'replay', status: earlier.status, reply: secrets.open(earlier.replySealed, sealContext(request)).toString('utf8') };
}

/** Encrypted, because the response may contain a key that is shown only once. */
export async function saveReply(
  db: Queryable,
  secrets: Secrets,
  request: IdempotentRequest,
  reply: { readonly status: number; readonly body: string },
): Promise<void> {
  const replySealed = secrets.seal(Buffer.from(reply.body), sealContext(request));
  await updateReply(db, { actor: request.actor, keyHash: digest(request.key), rights: request.rights, status: reply.status, replySealed });
}

type RequestSubject = { readonly storeId: Id<'store'> | null; readonly creatorId: Id<'crt'> | null };

/**
 * The rights that count for a request to this store or creator: a stored response is returned only to an actor who still has all of them.
 */
export function rightsFor({ isOperator, stores, creator }: Rights, { storeId, creatorId }: RequestSubject): readonly string[] {
  const inStore = storeId === null ? [] : [...(stores.get(storeId) ?? [])];
  const ofCreator = creator !== null && creator.creatorId === creatorId ? [...creator.permissions] : [];
  return [...(isOperator ? ['operator'] : []), ...inStore, ...ofCreator];
}

const sealContext = ({ actor, key }: IdempotentRequest) => boundTo(actor, digest(key).toString('hex'));
const boundTo = (actor: string, keyHash: string): string => `idempotency ${actor} ${keyHash}`;

export const sealedReplies: SealedColumn = {
  table: 'idempotency_keys',
  column: 'reply_sealed',
  holds: 'bytes',
  key: [
    { name: 'actor', type: 'text' },
    { name: 'key_hash', type: 'bytea' },
  ],
  boundTo: ([actor = '', keyHash = '']) => boundTo(actor, keyHash),
};

function digest(...parts: ReadonlyArray<string | Buffer>): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(String(part.length)).update('\n').update(part);
  return hash.digest();
}
