import { setTimeout as pause } from 'node:timers/promises';
import { type TSchema, Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { type Id, newId, readPublicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { cents } from '../core/money.ts';
import { minuteMs, realNow } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import { centsField, isoTime, isoTimeOrNull, orNull } from '../http/fields.ts';
import type { AuditAction } from '../people/audit-actions.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { notFound, type Refusal } from '../http/responses.ts';
import { inBackground, type Money, type Providers } from '../payments/providers.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { historyIsWritten, refusedByHistory, unlessHistoryIsWritten } from '../queue/history-lock.ts';
import type { Platform } from '../runtime/platform.ts';
import { claimRun, endRun, findRun, insertRun, listRuns, type ListedRun, type Run, type RunTable } from './manual-runs-sql.ts';

// A manual run does now what a scheduled job does by the calendar. Its row is inserted first, under the Idempotency-Key: a repeated request
// resumes that run and returns the same response.

const minimumCentsMax = 100_000_000;

/** The fields of a request for a run; `instead` and `dry` describe the two for the kind of run. */
export const runRequestFields = ({ instead, dry }: { readonly instead: string; readonly dry: string }) => ({
  minimum_cents: T.Optional(orNull(T.Integer({ minimum: 0, maximum: minimumCentsMax, description: instead }))),
  dry_run: T.Optional(T.Boolean({ description: dry })),
});

export const runFields = {
  minimum_cents: orNull(centsField()),
  dry_run: T.Boolean(),
  by: T.String(),
  by_name: T.String(),
  started_at: T.String(),
  ended_at: orNull(T.String({ description: 'Null while it runs, or if its process ended; the next run completes the rest' })),
};

/** The fields of a run in a list, without its results. */
export const listedRunFields = (what: string) => ({
  dry_run: T.Boolean(),
  by_name: T.String(),
  started_at: T.String(),
  ended_at: orNull(T.String()),
  count: orNull(T.Integer({ description: `The number of ${what} in the result; null until it ends` })),
});

export const showRunFields = (run: Omit<Run<string, string, unknown>, 'result'>) => ({
  minimum_cents: run.minimumCents,
  dry_run: run.isDry,
  by: run.startedBy,
  by_name: run.startedByName,
  started_at: isoTime(run.at),
  ended_at: isoTimeOrNull(run.endedAt),
});

export const showListedRunFields = (run: ListedRun<string, string>) => ({
  dry_run: run.isDry,
  by_name: run.startedByName,
  started_at: isoTime(run.at),
  ended_at: isoTimeOrNull(run.endedAt),
  count: run.count,
});

/** What a request for a run says. */
export type RunRequest = { readonly scope: string | null; readonly minimum: number | null; readonly isDry: boolean };

/** Assesses the risk of what is about to be invoiced or paid, or prepares to do so. */
type BeforeRun<Scope extends string, Assessment> = (platform: Platform, now: Date, only: Id<Scope> | null) => Promise<Assessment>;

/** `requestedAt` is the time of the request. */
export type RunFacts<Assessment> = { readonly assessment: Assessment; readonly requestedAt: Date };

type RunExecution<Prefix extends string, Scope extends string, Result, Assessment> = {
  readonly table: RunTable;
  readonly execute: (money: Money, run: Run<Prefix, Scope, Result>, facts: RunFacts<Assessment>) => Promise<Result>;
};

/** Everything in which runs of invoices and runs of payouts differ. */
export type RunKind<
  Prefix extends 'brun' | 'prun',
  Scope extends 'store' | 'crt',
  Result,
  Body extends TSchema,
  Reply extends TSchema,
  Item extends TSchema,
  Assessment,
> = {
  readonly prefix: Prefix;
  readonly liveKeys: 'billing:run' | 'payouts:run';
  readonly audit: AuditAction;
  readonly summaries: { readonly start: string; readonly get: string; readonly list: string };
  readonly body: Body;
  readonly readBody: (body: Static<Body>) => RunRequest;
  readonly scope: {
    readonly prefix: Scope;
    readonly exists: (db: Queryable, id: Id<Scope>) => Promise<boolean>;
    readonly unknown: Refusal;
  };
  /** The person behind the request, if a later step depends on it. */
  readonly userBehind: (db: Queryable, identity: Identity) => Promise<Id<'user'> | null>;
  readonly reply: Reply;
  readonly show: (run: Run<Prefix, Scope, Result>) => Static<Reply>;
  /** A run in the list, without its results. */
  readonly item: Item;
  readonly showItem: (run: ListedRun<Prefix, Scope>) => Static<Item>;
  /** The public ID in a reply. */
  readonly idOf: (reply: Static<Reply>) => string;
} & RunExecution<Prefix, Scope, Result, Assessment>;

/** Inserts the run, then executes it after the commit. */
function startEndpoint<
  Prefix extends 'brun' | 'prun',
  Scope extends 'store' | 'crt',
  Result,
  Body extends TSchema,
  Reply extends TSchema,
  Item extends TSchema,
  Assessment,
>(kind: RunKind<Prefix, Scope, Result, Body, Reply, Item, Assessment>, providers: Providers, beforeRun: BeforeRun<Scope, Assessment>) {
  const { prefix, table, summaries } = kind;
  return endpoint({
    summary: summaries.start,
    access: { allow: 'operator' },
    proof: true,
    liveKeys: kind.liveKeys,
    body: kind.body,
    reply: kind.reply,
    status: 201,
    audit: kind.audit,
    prepare: ({ platform }) => refusedByHistory(platform),
    async handle({ db, identity, body, now }) {
      const { scope, minimum, isDry } = kind.readBody(body);
      const scopeId = scope === null ? null : readPublicId(kind.scope.prefix, scope);
      if (scope !== null && (scopeId === null || !(await kind.scope.exists(db, scopeId)))) return kind.scope.unknown;
      const run = {
        runId: newId<Prefix>(now),
        scopeId,
        minimumCents: minimum === null ? null : cents(minimum),
        isDry,
        startedBy: identity.actor,
        startedByName: identity.name,
        startedByUserId: await kind.userBehind(db, identity),
        at: now,
      };
      await insertRun(db, table, run);
      return kind.show({ ...run, endedAt: null, result: null });
    },
    async afterCommit({ platform, now }, made) {
      const runId = readPublicId(prefix, kind.idOf(made));
      invariant(runId, 'a run has an ID');
      const ran = await unlessHistoryIsWritten(platform, async () => {
        const money = inBackground({ platform, providers });
        const { database, clock } = money.platform;
        const stored = await findRun<Prefix, Scope, Result>(database, table, runId);
        invariant(stored, 'a stored run exists');
        const assessment = await beforeRun(money.platform, clock.now(), stored.scopeId);
        return kind.show(await executeRun(money, kind, runId, { assessment, requestedAt: now }));
      });
      return ran.is === 'history' ? historyIsWritten : ran.result;
    },
  });
}

/** The operations of a kind of run: start one, read one, and list them. */
export function runEndpoints<
  Prefix extends 'brun' | 'prun',
  Scope extends 'store' | 'crt',
  Result,
  Body extends TSchema,
  Reply extends TSchema,
  Item extends TSchema,
  Assessment,
>(kind: RunKind<Prefix, Scope, Result, Body, Reply, Item, Assessment>) {
  const { prefix, table, summaries } = kind;

  const get = endpoint({
    summary: summaries.get,
    access: { allow: 'operator' },
    ids: { run: prefix },
    reply: kind.reply,
    async handle({ db, ids }) {
      const run = await findRun<Prefix, Scope, Result>(db, table, ids.run);
      return run === null ? notFound : kind.show(run);
    },
  });

  const list = listEndpoint({
    summary: summaries.list,
    access: { allow: 'operator' },
    item: kind.item,
    rows: ({ db }, page) => listRuns<Prefix, Scope>(db, table, page),
    renderer: () => kind.showItem,
    key: ({ runId }) => [runId],
  });

  const start = (providers: Providers, beforeRun: BeforeRun<Scope, Assessment>) => startEndpoint(kind, providers, beforeRun);

  return { start, get, list };
}

/** A large run may take longer. A second process that then resumes it does no harm. */
const claimMs = 2 * minuteMs;
const pollMs = 100;
const pollsMax = 6_000;

/** Executes a stored run, or waits for the process that does, and returns it when it has ended. */
async function executeRun<Prefix extends string, Scope extends string, Result, Assessment>(
  money: Money,
  { table, execute }: RunExecution<Prefix, Scope, Result, Assessment>,
  runId: Id<Prefix>,
  facts: RunFacts<Assessment>,
): Promise<Run<Prefix, Scope, Result>> {
  const { database, clock } = money.platform;
  for (let poll = 0; poll < pollsMax; poll++) {
    const run = await findRun<Prefix, Scope, Result>(database, table, runId);
    invariant(run, 'a stored run exists');
    if (run.endedAt !== null) return run;
    const now = realNow();
    if (await claimRun(database, table, runId, { now, until: new Date(now.getTime() + claimMs) }))
      await endRun(database, table, runId, { result: await execute(money, run, facts), at: clock.now() });
    else await pause(pollMs);
  }
  throw new Error('a run did not end in time');
}
