import type { Language } from '../../locales/languages.ts';
import type { TSchema } from 'typebox';
import type { Static } from '../core/static.ts';
import type { Queryable } from '../db/database.ts';
import type { Answer, ApiReason, FileType, Refusal } from '../http/responses.ts';
import type { Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import type { AuditAction } from './audit-actions.ts';
import type { Access } from './decide-access.ts';
import type { Identity, Person } from './identity.ts';
import type { LiveKeys, ProofRule } from './decide-proof.ts';

/**
 * One operation of the management API: access, input, output and handler. src/app/routes/ gives it a method and a path.
 * request-pipeline.ts does authorization, validation, the transaction, idempotency and the audit log for all operations.
 */
export type Endpoint = {
  readonly summary: string;
  readonly access: Access;
  /** Whether a session needs a proof of identity from the last ten minutes, for all requests or only for some, such as downloads. */
  readonly proof: ProofRule;
  /** Whether API keys may call it in live mode. */
  readonly liveKeys: LiveKeys;
  /** The IDs in the path by name, with the prefix each must have: `{ program: 'prog' }`. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: TSchema | null;
  readonly body: TSchema | null;
  /** An empty body means `{}`, for operations that had no body in earlier versions. */
  readonly isBodyOptional: boolean;
  /** The largest file that is the body, instead of JSON; null if the operation takes no file. */
  readonly uploadBytesMax: number | null;
  readonly reply: TSchema | null;
  readonly status: 200 | 201 | 204;
  /** Media types of a successful response other than JSON. If `reply` is null, there is no JSON response. */
  readonly files: readonly FileType[];
  /** Reasons for the OpenAPI document that do not follow from the access, method and fields. */
  readonly alsoRefuses: readonly ApiReason[];
  /** The action in the audit log; null if the operation writes no audit entry. */
  readonly audit: AuditAction | null;
  /** `false` if the handler calls other services or takes long, for all bodies or only for some: it opens its own transactions. */
  readonly inTransaction: boolean | ((body: never) => boolean);
  /** Runs before the transaction opens, for example to check a limit or hash a password. It may refuse the request. */
  readonly prepare: ((context: never) => Promise<unknown>) | null;
  readonly handle: (context: never) => Promise<Answer<unknown>>;
  /**
   * Runs after the result of `handle` is committed, to call other services or do work that takes long, and returns the response. A
   * repeated request with the same Idempotency-Key runs it again with the first result, so it must be safe to run twice.
   */
  readonly afterCommit: ((context: never, result: never) => Promise<Answer<unknown>>) | null;
};

/** What a handler receives. The request is already authenticated, authorized and parsed. */
export type HandlerContext<Body, Query, Ids extends IdPrefixes, Rule extends Access, Prepared = undefined> = {
  readonly platform: Platform;
  /** The transaction of the request, or the pool for reads. */
  readonly db: Queryable;
  readonly now: Date;
  readonly identity: IdentityFor<Rule>;
  readonly body: Body;
  readonly query: Query;
  readonly ids: { readonly [Name in keyof (Ids & PathIds<Rule>)]: Id<(Ids & PathIds<Rule>)[Name] & string> };
  readonly request: RequestFacts;
  readonly prepared: Prepared;
};

export type RequestFacts = {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. It is secret: never log or store it. */
  readonly cookies: string;
  readonly accept: string;
  /** The best supported language of the Accept-Language header. */
  readonly language: Language;
  /** The uploaded file; empty for operations that take none. */
  readonly file: Buffer;
};

type IdentityFor<Rule extends Access> = Rule['allow'] extends 'anyone'
  ? Identity | null
  : Rule['allow'] extends 'person'
    ? Person
    : Identity;

/** Operations of a store or a creator always have its ID in the path. */
type PathIds<Rule extends Access> = Rule['allow'] extends 'store'
  ? { readonly store: 'store' }
  : Rule['allow'] extends 'creator'
    ? { readonly creator: 'crt' }
    : unknown;

type IdPrefixes = Readonly<Record<string, string>>;
type NoIds = Readonly<Record<never, never>>;

type Definition<
  Body extends TSchema,
  Query extends TSchema,
  Reply extends TSchema,
  Ids extends IdPrefixes,
  Rule extends Access,
  Prepared,
> = {
  readonly summary: string;
  readonly access: Rule;
  readonly proof?: ProofRule;
  /** By default API keys may call it in live mode, unless it requires a recent proof from a person. */
  readonly liveKeys?: LiveKeys;
  readonly ids?: Ids;
  readonly query?: Query;
  readonly body?: Body;
  readonly isBodyOptional?: boolean;
  readonly uploadBytesMax?: number;
  readonly reply?: Reply;
  readonly status?: 200 | 201 | 204;
  readonly files?: readonly FileType[];
  readonly alsoRefuses?: readonly ApiReason[];
  readonly audit?: AuditAction;
  readonly inTransaction?: boolean | ((body: Static<Body>) => boolean);
  readonly prepare?: (context: Omit<HandlerContext<Static<Body>, Static<Query>, Ids, Rule>, 'prepared'>) => Promise<Prepared | Refusal>;
  readonly handle: (context: HandlerContext<Static<Body>, Static<Query>, Ids, Rule, Prepared>) => Promise<Answer<Static<Reply>>>;
  readonly afterCommit?: (
    context: HandlerContext<Static<Body>, Static<Query>, Ids, Rule, Prepared>,
    result: Static<Reply>,
  ) => Promise<Answer<Static<Reply>>>;
};

export function endpoint<
  Body extends TSchema,
  Query extends TSchema,
  Reply extends TSchema,
  const Rule extends Access,
  const Ids extends IdPrefixes = NoIds,
  Prepared = undefined,
>(definition: Definition<Body, Query, Reply, Ids, Rule, Prepared>): Endpoint {
  return withDefaults(definition);
}

type Fields = Pick<Endpoint, 'summary' | 'access' | 'handle'> & Partial<Endpoint>;

export function withDefaults(definition: Fields): Endpoint {
  return {
    summary: definition.summary,
    access: definition.access,
    proof: definition.proof ?? false,
    liveKeys: definition.liveKeys ?? (definition.proof === undefined ? 'permitted' : 'refused'),
    ids: definition.ids ?? {},
    query: definition.query ?? null,
    body: definition.body ?? null,
    isBodyOptional: definition.isBodyOptional ?? false,
    uploadBytesMax: definition.uploadBytesMax ?? null,
    reply: definition.reply ?? null,
    status: definition.status ?? 200,
    files: definition.files ?? [],
    alsoRefuses: definition.alsoRefuses ?? [],
    audit: definition.audit ?? null,
    inTransaction: definition.inTransaction ?? true,
    prepare: definition.prepare ?? null,
    handle: definition.handle,
    afterCommit: definition.afterCommit ?? null,
  };
}
