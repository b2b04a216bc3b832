import type { Language } from '../../locales/languages.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, ints, jsonbs, sql, texts, uuids } from '../db/sql.ts';
import { inStates, stateAfterSql } from '../db/state-sql.ts';
import type { Id } from '../core/ids.ts';
import type { Page } from '../http/page.ts';
import type { ImportColumns } from './decide-import.ts';
import { importTransitions, type ImportEvent, type ImportRowState, type ImportState } from './import-states.ts';

/** The group may be missing, as in imports that were uploaded before it existed. */
export type StoredColumns = Omit<ImportColumns, 'group'> & { readonly group?: number | null };

export type CreatorImport = {
  readonly storeId: Id<'store'>;
  readonly importId: Id<'imp'>;
  readonly fileName: string;
  readonly headers: readonly string[];
  readonly columns: StoredColumns;
  readonly programId: Id<'prog'> | null;
  readonly message: string | null;
  /** The language of emails to people without an account. */
  readonly language: Language;
  readonly state: ImportState;
  readonly madeAt: Date;
  readonly madeBy: string;
  readonly madeByName: string;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

const columns = sql`
  store_id, import_id, file_name, headers, columns, program_id, message, language, state, made_at, made_by, made_by_name, started_at,
  ended_at`;

export type ImportKey = Pick<CreatorImport, 'storeId' | 'importId'>;

export const insertImport = (db: Queryable, row: Omit<CreatorImport, 'state' | 'startedAt' | 'endedAt'>): Promise<CreatorImport> =>
  db.one(sql`
    insert into creator_imports (store_id, import_id, file_name, headers, columns, program_id, message, language, state, made_at, made_by,
      made_by_name)
    values (${row.storeId}, ${row.importId}, ${row.fileName}, ${JSON.stringify(row.headers)}::jsonb, ${JSON.stringify(row.columns)}::jsonb,
      ${row.programId}, ${row.message}, ${row.language}, 'draft', ${row.madeAt}, ${row.madeBy}, ${row.madeByName})
    returning ${columns}`);

export async function countDraftImports(db: Queryable, storeId: Id<'store'>): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from creator_imports where store_id = ${storeId} and state = 'draft'`);
  return Number(count);
}

export const findImport = (db: Queryable, { storeId, importId }: ImportKey): Promise<CreatorImport | null> =>
  db.find(sql`select ${columns} from creator_imports where store_id = ${storeId} and import_id = ${importId}`);

export const lockImport = (db: Queryable, { storeId, importId }: ImportKey): Promise<CreatorImport | null> =>
  db.find(sql`select ${columns} from creator_imports where store_id = ${storeId} and import_id = ${importId} for no key update`);

/** Null if another process works on it. */
export const lockRunningImport = (db: Queryable, { storeId, importId }: ImportKey): Promise<CreatorImport | null> =>
  db.find(sql`
    select ${columns} from creator_imports
    where store_id = ${storeId} and import_id = ${importId} and state = 'running' for no key update skip locked`);

/** Newest first. */
export const listImports = (db: Queryable, storeId: Id<'store'>, { after, limit }: Page): Promise<CreatorImport[]> =>
  db.all(sql`
    select ${columns} from creator_imports
    where store_id = ${storeId} ${after === null ? emptySql : sql`and import_id < ${after[0]}`}
    order by import_id desc limit ${limit + 1}`);

/** By the partial index of running imports, of which few exist. */
export const listRunningImports = (db: Queryable, most: number): Promise<ImportKey[]> =>
  db.all(sql`select store_id, import_id from creator_imports where state = 'running' order by import_id limit ${most}`);

type Mapping = ImportKey & Pick<CreatorImport, 'columns' | 'programId' | 'message'>;

export const updateImport = (db: Queryable, row: Mapping): Promise<CreatorImport> =>
  db.one(sql`
    update creator_imports
    set columns = ${JSON.stringify(row.columns)}::jsonb, program_id = ${row.programId}, message = ${row.message}
    where store_id = ${row.storeId} and import_id = ${row.importId} returning ${columns}`);

/** Null if the import is in another state by now. */
export const transitionImport = (
  db: Queryable,
  { storeId, importId, event, at }: ImportKey & { readonly event: ImportEvent; readonly at: Date },
): Promise<CreatorImport | null> => {
  const transition = importTransitions[event];
  const time = event === 'start' ? sql`started_at = ${at}` : sql`ended_at = ${at}`;
  return db.find(sql`
    update creator_imports set state = ${stateAfterSql(transition)}, ${time}
    where store_id = ${storeId} and import_id = ${importId} and ${inStates(transition.from)} returning ${columns}`);
};

export type StoredImportRow = {
  /** As in a spreadsheet: the column titles are row 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly email: string | null;
  readonly creatorName: string | null;
  readonly programId: Id<'prog'> | null;
  readonly note: string | null;
  readonly groupId: Id<'grp'> | null;
  readonly state: ImportRowState;
  readonly reason: string | null;
  readonly invitationId: Id<'pinv'> | null;
};

const rowColumns = sql`line, cells, email, creator_name, program_id, note, group_id, state, reason, invitation_id`;
export type NewImportRow = Omit<StoredImportRow, 'invitationId'>;

export async function insertImportRows(db: Queryable, { storeId, importId }: ImportKey, rows: readonly NewImportRow[]): Promise<void> {
  await db.run(sql`
    insert into creator_import_rows (store_id, import_id, line, cells, email, creator_name, program_id, note, group_id, state, reason)
    select ${storeId}::uuid, ${importId}::uuid, * from unnest(
      ${ints(rows.map(({ line }) => line))}, ${jsonbs(rows.map(({ cells }) => JSON.stringify(cells)))},
      ${texts(rows.map(({ email }) => email))}, ${texts(rows.map(({ creatorName }) => creatorName))},
      ${uuids(rows.map(({ programId }) => programId))}, ${texts(rows.map(({ note }) => note))},
      ${uuids(rows.map(({ groupId }) => groupId))},
      ${texts(rows.map(({ state }) => state))}, ${texts(rows.map(({ reason }) => reason))})`);
}

/** After a change of the columns: the cells stay, and are read again. */
export async function replaceImportRows(db: Queryable, key: ImportKey, rows: readonly NewImportRow[]): Promise<void> {
  await db.run(sql`delete from creator_import_rows where store_id = ${key.storeId} and import_id = ${key.importId}`);
  await insertImportRows(db, key, rows);
}

export const listAllImportRows = (db: Queryable, { storeId, importId }: ImportKey): Promise<StoredImportRow[]> =>
  db.all(sql`select ${rowColumns} from creator_import_rows where store_id = ${storeId} and import_id = ${importId} order by line`);

/** In the order of the file. */
export const listImportRows = (
  db: Queryable,
  { storeId, importId, state }: ImportKey & { readonly state: ImportRowState | null },
  { after, limit }: Page,
): Promise<StoredImportRow[]> =>
  db.all(sql`
    select ${rowColumns} from creator_import_rows
    where store_id = ${storeId} and import_id = ${importId} ${state === null ? emptySql : sql`and state = ${state}`}
      ${after === null ? emptySql : sql`and line > ${after[0]}::int`}
    order by line limit ${limit + 1}`);

/** The next rows to process. The caller holds the lock of the import. */
export const listReadyRows = (db: Queryable, { storeId, importId }: ImportKey, most: number): Promise<StoredImportRow[]> =>
  db.all(sql`
    select ${rowColumns} from creator_import_rows
    where store_id = ${storeId} and import_id = ${importId} and state = 'ready' order by line limit ${most}`);

/** Whether rows that wait for their invitation would place creators in groups. */
export async function hasReadyRowsWithGroup(db: Queryable, { storeId, importId }: ImportKey): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (
      select 1 from creator_import_rows
      where store_id = ${storeId} and import_id = ${importId} and state = 'ready' and group_id is not null) as found`);
  return found;
}

/** Members who are in another group than their row says, in the order of the file. */
export const listRowsOfOtherGroups = (db: Queryable, { storeId, importId }: ImportKey, most: number): Promise<StoredImportRow[]> =>
  db.all(sql`
    select ${rowColumns} from creator_import_rows
    where store_id = ${storeId} and import_id = ${importId} and state = 'skipped' and reason = 'member_in_other_group'
    order by line limit ${most}`);

export async function countRowsOfOtherGroups(db: Queryable, { storeId, importId }: ImportKey): Promise<number> {
  const counts = await countImportRows(db, storeId, [importId]);
  return Number(counts.find(({ state }) => state === 'skipped')?.inOtherGroup ?? 0n);
}

type RowResult = ImportKey & Pick<StoredImportRow, 'line' | 'state' | 'reason' | 'invitationId'>;

export const settleImportRow = (db: Queryable, { storeId, importId, line, state, reason, invitationId }: RowResult): Promise<number> =>
  db.run(sql`
    update creator_import_rows set state = ${state}, reason = ${reason}, invitation_id = ${invitationId}
    where store_id = ${storeId} and import_id = ${importId} and line = ${line}`);

export type RowCount = {
  readonly importId: Id<'imp'>;
  readonly state: ImportRowState;
  readonly count: bigint;
  /** Members who are in another group than their row says. */
  readonly inOtherGroup: bigint;
};

/** By the index creator_import_rows_of_state. */
export const countImportRows = (db: Queryable, storeId: Id<'store'>, importIds: ReadonlyArray<Id<'imp'>>): Promise<RowCount[]> =>
  db.all(sql`
    select import_id, state, count(*) as count, count(*) filter (where reason = 'member_in_other_group') as in_other_group
    from creator_import_rows
    where store_id = ${storeId} and import_id = any(${uuids(importIds)}) group by import_id, state`);

/** The rows of an import are deleted with it. */
export const deleteImportsBefore = (db: Queryable, { before, most }: { readonly before: Date; readonly most: number }): Promise<number> =>
  db.run(sql`
    delete from creator_imports where (store_id, import_id) in (
      select store_id, import_id from creator_imports where made_at < ${before} limit ${most})`);

/** Scans the rows, which are deleted after 30 days, because a person is erased rarely. */
export const deleteImportRowsOf = (db: Queryable, email: string): Promise<number> =>
  db.run(sql`delete from creator_import_rows where email = ${email}`);

type Importers = { readonly actors: readonly string[]; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

export const eraseImporter = (db: Queryable, { actors, storeIds, name }: Importers): Promise<number> =>
  db.run(sql`
    update creator_imports set made_by_name = ${name} where store_id = any(${uuids(storeIds)}) and made_by = any(${texts(actors)})`);
