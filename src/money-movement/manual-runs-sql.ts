import { jsonText } from '../core/json.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, type Sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';

/** How a kind of run is stored. */
export type RunTable = {
  readonly table: Sql;
  readonly runId: Sql;
  /** The column of the store or creator that the run is limited to. */
  readonly scopeId: Sql;
  readonly startedBy: Sql;
  readonly startedByName: Sql;
  /** Null: the table does not have it. */
  readonly startedByUserId: Sql | null;
  /** The JSON array of results. */
  readonly results: Sql;
};

export type NewRun<Prefix extends string, Scope extends string> = {
  readonly runId: Id<Prefix>;
  /** Null: all stores or creators. */
  readonly scopeId: Id<Scope> | null;
  readonly minimumCents: Cents | null;
  readonly isDry: boolean;
  readonly startedBy: string;
  readonly startedByName: string;
  readonly startedByUserId: Id<'user'> | null;
  readonly at: Date;
};
export type Run<Prefix extends string, Scope extends string, Result> = NewRun<Prefix, Scope> & {
  readonly endedAt: Date | null;
  readonly result: Result | null;
};
export type ListedRun<Prefix extends string, Scope extends string> = Omit<Run<Prefix, Scope, never>, 'result'> & {
  readonly count: number | null;
};

const columnsOf = ({ runId, scopeId, startedBy, startedByName, startedByUserId }: RunTable): Sql => sql`
  ${runId} as run_id, ${scopeId} as scope_id, minimum_cents, is_dry, ${startedBy} as started_by, ${startedByName} as started_by_name,
  ${startedByUserId ?? sql`null::uuid`} as started_by_user_id, at, ended_at`;

export async function insertRun(db: Queryable, to: RunTable, run: NewRun<string, string>): Promise<void> {
  await db.run(sql`
    insert into ${to.table} (${to.runId}, ${to.scopeId}, minimum_cents, is_dry, ${to.startedBy}, ${to.startedByName}, at
      ${to.startedByUserId === null ? emptySql : sql`, ${to.startedByUserId}`})
    values (${run.runId}, ${run.scopeId}, ${run.minimumCents}, ${run.isDry}, ${run.startedBy}, ${run.startedByName}, ${run.at}
      ${to.startedByUserId === null ? emptySql : sql`, ${run.startedByUserId}`})`);
}

/** True: no other process executes the run, and the caller executes it. */
export async function claimRun(
  db: Queryable,
  { table, runId }: RunTable,
  id: Id,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const claimed = await db.run(sql`
    update ${table} set claimed_until = ${until}
    where ${runId} = ${id} and ended_at is null and (claimed_until is null or claimed_until < ${now})`);
  return claimed === 1;
}

/** The first recorded end is kept. */
export async function endRun(
  db: Queryable,
  { table, runId }: RunTable,
  id: Id,
  { result, at }: { readonly result: unknown; readonly at: Date },
): Promise<void> {
  await db.run(sql`
    update ${table} set ended_at = ${at}, result = ${jsonText(result)}::jsonb where ${runId} = ${id} and ended_at is null`);
}

export const findRun = <Prefix extends string, Scope extends string, Result>(
  db: Queryable,
  from: RunTable,
  id: Id<Prefix>,
): Promise<Run<Prefix, Scope, Result> | null> =>
  db.find(sql`select ${columnsOf(from)}, result from ${from.table} where ${from.runId} = ${id}`);

/** Without results, which may be thousands of rows. By primary key, newest first. */
export const listRuns = <Prefix extends string, Scope extends string>(
  db: Queryable,
  from: RunTable,
  { after, limit }: Page,
): Promise<Array<ListedRun<Prefix, Scope>>> =>
  db.all(sql`
    select ${columnsOf(from)}, jsonb_array_length(${from.results}) as count
    from ${from.table} ${after === null ? emptySql : sql`where ${from.runId} < ${after[0]}`}
    order by ${from.runId} desc limit ${limit + 1}`);
