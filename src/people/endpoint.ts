import type { Static, TSchema } from 'typebox';
import type { Queryable } from '../platform/database/database.ts';
import type { Answer, ApiReason, FileType, Refusal } from '../platform/http/answers.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { Access } from './decide-access.ts';
import type { Identity, Person } from './identity.ts';
import type { LiveKeys, ProofRule } from './decide-proof.ts';

/**
 * One operation of the management API: who may, what comes in, what goes out, and what it does. Where it lives (method
 * and path) stands in routes-of-*.ts; access, validation, transaction, idempotency and the audit log are done for all alike
 * in mount.ts.
 */
export type Endpoint = {
  readonly summary: string;
  readonly access: Access;
  /** Whether a session must have proved who it is within the last ten minutes; perhaps only for some requests, such as a download. */
  readonly proof: ProofRule;
  /** Whether API keys may call it in live mode. */
  readonly liveKeys: LiveKeys;
  /** The path's ids by name, with the prefix each must have: `{ program: 'prog' }`. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: TSchema | null;
  readonly body: TSchema | null;
  /** Where nothing was sent it means `{}`: for operations that once had no body. */
  readonly isBodyOptional: boolean;
  readonly reply: TSchema | null;
  readonly status: 200 | 201 | 204;
  /** Media types of a successful answer other than JSON. Where `reply` is null, it answers in these only. */
  readonly files: readonly FileType[];
  /** What its access, method and fields do not tell: the description of the API names these answers too. */
  readonly alsoRefuses: readonly ApiReason[];
  /** What the audit log calls it; null for what changes nothing worth telling. */
  readonly audit: string | null;
  /** `false` where the work calls the outside or takes long, perhaps only for some bodies: it opens transactions of its own. */
  readonly inTransaction: boolean | ((body: never) => boolean);
  /** What must be done before the transaction opens: a limit, a password's hash. It may refuse. */
  readonly prepare: ((asked: never) => Promise<unknown>) | null;
  readonly handle: (asked: never) => Promise<Answer<unknown>>;
  /**
   * What is left to do once that what `handle` made is committed: it calls the outside or takes long, and gives the answer. Asked
   * again with the same Idempotency-Key it is given what was made then: it goes on with that, so it is safe to run twice.
   */
  readonly afterCommit: ((asked: never, made: never) => Promise<Answer<unknown>>) | null;
};

/** What a handler is given: everything is proved, parsed and permitted already. */
export type Asked<Body, Query, Ids extends IdPrefixes, Rule extends Access, Prepared = undefined> = {
  readonly platform: Platform;
  /** The request's transaction where it changes something, else the pool. */
  readonly db: Queryable;
  readonly now: Date;
  readonly identity: IdentityUnder<Rule>;
  readonly body: Body;
  readonly query: Query;
  readonly ids: { readonly [Name in keyof (Ids & IdsUnder<Rule>)]: Id<(Ids & IdsUnder<Rule>)[Name] & string> };
  readonly request: RequestFacts;
  readonly prepared: Prepared;
};

export type RequestFacts = {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header: a secret, never logged or kept. */
  readonly cookies: string;
  readonly accept: string;
};

type IdentityUnder<Rule extends Access> = Rule['who'] extends 'anyone' ? Identity | null : Rule['who'] extends 'person' ? Person : Identity;

/** The path of a store's or a creator's operation names it, so its id is there without being asked for. */
type IdsUnder<Rule extends Access> = Rule['who'] extends 'store'
  ? { readonly store: 'store' }
  : Rule['who'] extends 'creator'
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
  /** Left out: API keys may call it in live mode unless it asks a person for a recent proof. */
  readonly liveKeys?: LiveKeys;
  readonly ids?: Ids;
  readonly query?: Query;
  readonly body?: Body;
  readonly isBodyOptional?: boolean;
  readonly reply?: Reply;
  readonly status?: 200 | 201 | 204;
  readonly files?: readonly FileType[];
  readonly alsoRefuses?: readonly ApiReason[];
  readonly audit?: string;
  readonly inTransaction?: boolean | ((body: Static<Body>) => boolean);
  readonly prepare?: (asked: Omit<Asked<Static<Body>, Static<Query>, Ids, Rule>, 'prepared'>) => Promise<Prepared | Refusal>;
  readonly handle: (asked: Asked<Static<Body>, Static<Query>, Ids, Rule, Prepared>) => Promise<Answer<Static<Reply>>>;
  readonly afterCommit?: (
    asked: Asked<Static<Body>, Static<Query>, Ids, Rule, Prepared>,
    made: Static<Reply>,
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
  return {
    summary: definition.summary,
    access: definition.access,
    proof: definition.proof ?? false,
    liveKeys: definition.liveKeys ?? (definition.proof === undefined ? 'permitted' : 'refused'),
    ids: definition.ids ?? {},
    query: definition.query ?? null,
    body: definition.body ?? null,
    isBodyOptional: definition.isBodyOptional ?? false,
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
