import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { containsText } from '../db/like-pattern.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Page, SortedPage } from '../http/page.ts';
import { afterKey, orderBy, orderOf, type ListSorts, type SortColumn } from '../db/list-order.ts';
import type { Id } from '../core/ids.ts';
import type { ProgramStatus } from './decide-publish.ts';
import { approvalOf, columnsOf, type ApprovalColumns } from './terms-json.ts';
import type { ApplicationQuestion } from './question-shapes.ts';
import type { TermsSettings } from './terms.ts';

export type ProgramName = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'> };

export type Program = ProgramName &
  TermsSettings & {
    readonly name: string;
    readonly landingUrl: string;
    readonly status: ProgramStatus;
    readonly firstPublishedAt: Date | null;
    /** What creators are asked when they apply. */
    readonly questions: readonly ApplicationQuestion[];
    readonly hasLeaderboard: boolean;
    readonly createdAt: Date;
  };

type Row = Omit<Program, 'approval'> & ApprovalColumns;

const columns = sql`
  store_id, program_id, name, landing_url, status, first_published_at, questions, has_leaderboard, created_at,
  attribution_days, hold_days, approval, auto_approve_days`;

const programOf = ({ approval, autoApproveDays, ...row }: Row): Program => ({
  ...row,
  approval: approvalOf({ approval, autoApproveDays }),
});

type NewProgram = ProgramName & TermsSettings & Pick<Program, 'name' | 'landingUrl' | 'createdAt'>;

export async function insertProgram(db: Queryable, program: NewProgram): Promise<Program> {
  const { approval, autoApproveDays } = columnsOf(program.approval);
  await db.run(sql`insert into program_directory (program_id, store_id) values (${program.programId}, ${program.storeId})`);
  return programOf(
    await db.one<Row>(sql`
      insert into programs (store_id, program_id, name, landing_url, status, created_at,
                            attribution_days, hold_days, approval, auto_approve_days)
      values (${program.storeId}, ${program.programId}, ${program.name}, ${program.landingUrl}, 'draft', ${program.createdAt},
              ${program.attributionDays}, ${program.holdDays}, ${approval}, ${autoApproveDays})
      returning ${columns}`),
  );
}

export async function countPrograms(db: Queryable, storeId: Id<'store'>): Promise<number> {
  return Number((await db.one<{ count: bigint }>(sql`select count(*) as count from programs where store_id = ${storeId}`)).count);
}

/** All programs of a store, whose number is limited. */
export async function allProgramsOf(db: Queryable, storeId: Id<'store'>): Promise<Program[]> {
  return (await db.all<Row>(sql`select ${columns} from programs where store_id = ${storeId} order by program_id`)).map(programOf);
}

export async function findProgram(db: Queryable, { storeId, programId }: ProgramName): Promise<Program | null> {
  const row = await db.find<Row>(sql`select ${columns} from programs where store_id = ${storeId} and program_id = ${programId}`);
  return row && programOf(row);
}

/** Finds a program's store for callers who know only the program ID: its public page, and creators who apply. */
export async function storeOfProgram(db: Queryable, programId: Id<'prog'>): Promise<Id<'store'> | null> {
  const row = await db.find<{ storeId: Id<'store'> }>(sql`select store_id from program_directory where program_id = ${programId}`);
  return row?.storeId ?? null;
}

/** By primary key, for the related programs of one page. */
export async function programsByName(db: Queryable, names: readonly ProgramName[]): Promise<ReadonlyMap<Id<'prog'>, Program>> {
  if (names.length === 0) return new Map();
  const rows = await queryByStore(names, (storeId, ofStore) =>
    db.all<Row>(sql`
      select ${columns} from programs
      where store_id = ${storeId} and program_id = any(${uuids(ofStore.map(({ programId }) => programId))})`),
  );
  return new Map(rows.map((row) => [row.programId, programOf(row)]));
}

export const updateQuestions = (db: Queryable, name: ProgramName, questions: readonly ApplicationQuestion[]): Promise<number> =>
  db.run(sql`
    update programs set questions = ${JSON.stringify(questions)}::jsonb
    where store_id = ${name.storeId} and program_id = ${name.programId}`);

export const setHasLeaderboard = (db: Queryable, { storeId, programId }: ProgramName, isOn: boolean): Promise<number> =>
  db.run(sql`update programs set has_leaderboard = ${isOn} where store_id = ${storeId} and program_id = ${programId}`);

/** Serializes changes of one program and its terms; rows that refer to it can still be written. */
export async function lockProgram(db: Queryable, name: ProgramName): Promise<Program | null> {
  const row = await db.find<Row>(sql`
    select ${columns} from programs where store_id = ${name.storeId} and program_id = ${name.programId} for no key update`);
  return row && programOf(row);
}

const programIdColumn: SortColumn<Program> = { expression: sql`program_id`, type: 'uuid', value: ({ programId }) => programId };

export const programSorts: ListSorts<Program> = {
  columns: { created_at: programIdColumn, name: { expression: sql`lower(name)`, type: 'text', value: ({ name }) => name } },
  unique: programIdColumn,
  defaultSort: '-created_at',
};

/** A store has at most 500 programs, so a sort by name may read all of them. */
export async function listPrograms(
  db: Queryable,
  storeId: Id<'store'>,
  { after, limit, order = orderOf(programSorts), search = null }: Page & Partial<SortedPage<Program>> & { readonly search?: string | null },
): Promise<Program[]> {
  const rows = await db.all<Row>(sql`
    select ${columns} from programs
    where store_id = ${storeId} ${search === null ? emptySql : sql`and ${containsText(sql`name`, search)}`} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);
  return rows.map(programOf);
}

export async function updateProgram(db: Queryable, program: Program): Promise<Program> {
  const { approval, autoApproveDays } = columnsOf(program.approval);
  return programOf(
    await db.one<Row>(sql`
      update programs
      set name = ${program.name}, landing_url = ${program.landingUrl}, status = ${program.status},
          first_published_at = ${program.firstPublishedAt}, attribution_days = ${program.attributionDays},
          hold_days = ${program.holdDays}, approval = ${approval}, auto_approve_days = ${autoApproveDays}
      where store_id = ${program.storeId} and program_id = ${program.programId}
      returning ${columns}`),
  );
}
