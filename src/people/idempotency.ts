import { createHash } from 'node:crypto';
import type { Queryable } from '../platform/database/database.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Rights } from './identity.ts';
import { insertIdempotencyKey, keptReply, updateReply } from './idempotency-sql.ts';

/**
 * `Idempotency-Key`: the answer of a request that created something is kept in the transaction that created it. A second
 * request with the key waits for the first one's commit, and is given the same answer.
 */
export type Repetition =
  | { readonly is: 'first' }
  | { readonly is: 'replay'; readonly status: number; readonly reply: string }
  | { readonly is: 'other request' }
  /** The answer was given under a right that whoever asks again has lost. */
  | { readonly is: 'right lost' };

export type IdempotentRequest = {
  readonly actor: string;
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly body: Buffer;
  /** What the actor may do at this moment where the request works, see rightsAt. */
  readonly rights: readonly string[];
};

export const idempotencyKeyLengthMax = 255;

export async function claimIdempotencyKey(db: Queryable, secrets: Secrets, request: IdempotentRequest, now: Date): Promise<Repetition> {
  const ofActor = { actor: request.actor, keyHash: digest(request.key) };
  const requestHash = digest(request.method, request.url, request.body);
  if ((await insertIdempotencyKey(db, { ...ofActor, requestHash, now })) === 1) return { is: 'first' };
  const earlier = await keptReply(db, ofActor);
  if (!earlier.requestHash.equals(requestHash)) return { is: 'other request' };
  if (earlier.rights?.some((right) => !request.rights.includes(right))) return { is: 'right lost' };
  return { is: 'replay', status: earlier.status, reply: secrets.open(earlier.replySealed, sealOf(request)).toString('utf8') };
}

/** Sealed, because the answer may hold a key that is shown this once. */
export async function keepReply(
  db: Queryable,
  secrets: Secrets,
  request: IdempotentRequest,
  reply: { readonly status: number; readonly body: string },
): Promise<void> {
  const replySealed = secrets.seal(Buffer.from(reply.body), sealOf(request));
  await updateReply(db, { actor: request.actor, keyHash: digest(request.key), rights: request.rights, status: reply.status, replySealed });
}

type Where = { readonly storeId: Id<'store'> | null; readonly creatorId: Id<'crt'> | null };

/** The rights that count for a request to this store or creator, as words: a kept answer is for nobody who has fewer. */
export function rightsAt({ isOperator, stores, creator }: Rights, { storeId, creatorId }: Where): readonly string[] {
  const inStore = storeId === null ? [] : [...(stores.get(storeId) ?? [])];
  const ofCreator = creator !== null && creator.creatorId === creatorId ? [...creator.permissions] : [];
  return [...(isOperator ? ['operator'] : []), ...inStore, ...ofCreator];
}

const sealOf = ({ actor, key }: IdempotentRequest) => boundTo(actor, digest(key).toString('hex'));
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
