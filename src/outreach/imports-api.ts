import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { newId, publicId, readPublicId, type Id } from '../core/ids.ts';
import { parseCsv, type ParsedCsv } from '../core/parse-csv.ts';
import { realNow } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { isoTime, isoTimeOrNull, lineField, namedObject, orNull, textField, idField } from '../http/fields.ts';
import { pageFields, wholeNumberShape } from '../http/page.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { allGroupsOf } from '../merchants/member-groups-sql.ts';
import { allProgramsOf, findProgram } from '../merchants/programs-sql.ts';
import { auditActorOf, recordAuditEntry } from '../people/audit.ts';
import { endpoint } from '../people/endpoint.ts';
import { isEmail, normalizeEmail, strictObject } from '../people/fields.ts';
import { filteredListEndpoint, listEndpoint } from '../people/list-endpoint.ts';
import { proofRefusal } from '../people/proof.ts';
import {
  guessColumns,
  importCellLengthMax,
  importRowsMax,
  importSkipReasons,
  invalidReasons,
  readImportRows,
  type ImportRules,
} from './decide-import.ts';
import { invitationMessageLengthMax, skipReasons } from './decide-invitation.ts';
import { importRowStates, importStates } from './import-states.ts';
import {
  countDraftImports,
  countImportRows,
  findImport,
  hasReadyRowsWithGroup,
  insertImport,
  insertImportRows,
  listAllImportRows,
  listImportRows,
  listImports,
  lockImport,
  replaceImportRows,
  transitionImport,
  updateImport,
  type CreatorImport,
  type NewImportRow,
  type RowCount,
  type StoredColumns,
  type StoredImportRow,
} from './imports-sql.ts';
import { inviterOf } from './inviter.ts';
import { enqueueImports } from './run-imports.ts';
import { apiMessage } from '../messages/api-message.ts';

const fileNameLengthMax = 200;
/** The request with the file has a limit of 1 MiB. */
const csvLengthMax = 1_000_000;
const columnsMax = 50;
const draftsMax = 20;
const canRead = { allow: 'store', permission: 'store:read' } as const;
const canWrite = { allow: 'store', permission: 'programs:write' } as const;
const ids = { import: 'imp' } as const;

const columnField = orNull(
  T.Integer({ minimum: 0, maximum: columnsMax - 1, description: 'Counted from 0; null if the file has no such column' }),
);
const columnsJson = strictObject({
  email: columnField,
  name: columnField,
  program: columnField,
  note: columnField,
  group: T.Optional(columnField),
});
const count = T.Integer();

const importJson = namedObject('CreatorImport', {
  id: T.String(),
  file_name: T.String(),
  headers: T.Array(T.String()),
  columns: columnsJson,
  program_id: orNull(T.String({ description: 'The program for rows without one' })),
  message: orNull(T.String({ description: 'In each invitation' })),
  state: T.Enum(importStates),
  rows: T.Object({ total: count, ready: count, invalid: count, invited: count, skipped: count }),
  members_in_other_group: T.Integer({ description: 'Members who are not in the group that their row names; they can be moved' }),
  made_at: T.String(),
  made_by_name: T.String(),
  started_at: orNull(T.String()),
  ended_at: orNull(T.String()),
});

function showImport(row: CreatorImport, counts: readonly RowCount[]): Static<typeof importJson> {
  const of = (state: RowCount['state']): number =>
    Number(counts.find((one) => one.importId === row.importId && one.state === state)?.count ?? 0n);
  const rows = { ready: of('ready'), invalid: of('invalid'), invited: of('invited'), skipped: of('skipped') };
  return {
    id: publicId('imp', row.importId),
    file_name: row.fileName,
    headers: [...row.headers],
    columns: showColumns(row.columns),
    program_id: row.programId && publicId('prog', row.programId),
    message: row.message,
    state: row.state,
    rows: { total: rows.ready + rows.invalid + rows.invited + rows.skipped, ...rows },
    members_in_other_group: Number(
      counts.find(({ importId, state }) => importId === row.importId && state === 'skipped')?.inOtherGroup ?? 0n,
    ),
    made_at: isoTime(row.madeAt),
    made_by_name: row.madeByName,
    started_at: isoTimeOrNull(row.startedAt),
    ended_at: isoTimeOrNull(row.endedAt),
  };
}

/** A group is optional, also in imports that were uploaded before it existed. */
function showColumns({ group, ...columns }: StoredColumns): Static<typeof columnsJson> {
  return group === null || group === undefined ? columns : { ...columns, group };
}

const renderImport = async (db: Queryable, row: CreatorImport): Promise<Static<typeof importJson>> =>
  showImport(row, await countImportRows(db, row.storeId, [row.importId]));

/** Writes its own audit entry, because the pipeline's would contain the whole file. */
export const createImportEndpoint = endpoint({
  summary: 'Upload a CSV file of creators to invite; nothing is sent before the import is started',
  access: canWrite,
  body: strictObject({
    file_name: lineField(fileNameLengthMax),
    csv: T.String({
      minLength: 1,
      maxLength: csvLengthMax,
      pattern: String.raw`^[^\u0000\p{Cs}]*$`,
      description: `RFC 4180, with column titles in the first line; at most ${importRowsMax} rows`,
    }),
    program_id: T.Optional(orNull(idField())),
    message: T.Optional(orNull(textField(invitationMessageLengthMax))),
  }),
  reply: importJson,
  status: 201,
  async handle({ platform, db, ids: { store: storeId }, body, identity, request, now }) {
    const file = readFile(parseCsv(body.csv));
    if (isRefusal(file)) return file;
    const programId = await readProgram(db, storeId, body.program_id ?? null);
    if (isRefusal(programId)) return programId;
    if ((await countDraftImports(db, storeId)) >= draftsMax)
      return refuse('limit_reached', apiMessage('imports_api.store_can_have_at_most', { draftsMax }));
    const columns = guessColumns(file.headers);
    const { actor, name, language } = await inviterOf(db, identity, request);
    const made = await insertImport(db, {
      storeId,
      importId: newId<'imp'>(now),
      fileName: body.file_name,
      headers: file.headers,
      columns,
      programId,
      message: body.message ?? null,
      language,
      madeAt: realNow(),
      madeBy: actor,
      madeByName: name,
    });
    await insertImportRows(db, made, readRows(file.records, await rulesOf(db, made)));
    const subject = `/api/v1/stores/${publicId('store', storeId)}/creator-imports/${publicId('imp', made.importId)}`;
    const details = { file_name: body.file_name, rows: file.records.length };
    const by = auditActorOf({ platform, now, identity, request });
    await recordAuditEntry(db, { ...by, storeId, creatorId: null, action: 'creator_import.create', subject, details });
    return renderImport(db, made);
  },
});

type ImportFile = { readonly headers: readonly string[]; readonly records: ReadonlyArray<readonly string[]> };

const parseErrors = { open_quote: 'has a quote that is never closed', text_after_quote: 'has text after a closing quote' } as const;

function readFile(parsed: ParsedCsv): ImportFile | Refusal {
  if (!parsed.ok) return refuseFile(`row ${parsed.record} ${parseErrors[parsed.reason]}`);
  const [headers, ...records] = parsed.records;
  if (headers === undefined || records.length === 0) return refuseFile('has no rows below the titles');
  if (headers.length > columnsMax) return refuseFile(`has more than ${columnsMax} columns`);
  if (records.length > importRowsMax) return refuseFile(`has more than ${importRowsMax} rows; split the file`);
  const wide = records.findIndex((cells) => cells.length > headers.length);
  if (wide !== -1) return refuseFile(`row ${wide + 2} has more cells than the titles`);
  return { headers: headers.map((header) => header.slice(0, importCellLengthMax)), records };
}

const refuseFile = (message: string): Refusal =>
  refuse('invalid_request', apiMessage('imports_api.file_cannot_imported_see_errors'), [{ field: 'csv', message }]);

async function readProgram(db: Queryable, storeId: Id<'store'>, text: string | null): Promise<Id<'prog'> | null | Refusal> {
  if (text === null) return null;
  const programId = readPublicId('prog', text);
  return programId === null || (await findProgram(db, { storeId, programId })) === null ? notFound : programId;
}

async function rulesOf(db: Queryable, { storeId, columns: stored, programId }: CreatorImport): Promise<ImportRules> {
  const columns = { ...stored, group: stored.group ?? null };
  const programs = await allProgramsOf(db, storeId);
  const groups = columns.group === null ? [] : await allGroupsOf(db, storeId);
  return {
    columns,
    programId,
    programs: programs.map((program) => ({
      programId: program.programId,
      publicId: publicId('prog', program.programId),
      name: program.name,
    })),
    groups: groups.map(({ programId: of, groupId, name }) => ({ programId: of, groupId, publicId: publicId('grp', groupId), name })),
    readEmail: (text) => (isEmail(text) ? normalizeEmail(text) : null),
  };
}

/** Cells beyond the limit are cut, so that one row cannot be as large as a file. */
function readRows(records: ReadonlyArray<readonly string[]>, rules: ImportRules): readonly NewImportRow[] {
  const cells = records.map((record) => record.map((cell) => cell.slice(0, importCellLengthMax)));
  return readImportRows(cells, rules).map((row, index) => {
    const common = { line: index + 2, cells: cells[index] ?? [], email: row.email };
    return row.state === 'ready'
      ? {
          ...common,
          creatorName: row.creatorName,
          programId: row.programId,
          note: row.note,
          groupId: row.groupId,
          state: 'ready',
          reason: null,
        }
      : { ...common, creatorName: null, programId: null, note: null, groupId: null, state: 'invalid', reason: row.reason };
  });
}

export const listImportsEndpoint = listEndpoint({
  summary: 'List the imports of creators, newest first; they are deleted after 30 days',
  access: canRead,
  item: importJson,
  rows: ({ db, ids: { store } }, page) => listImports(db, store, page),
  async renderer({ db, ids: { store } }, rows) {
    const counts = await countImportRows(
      db,
      store,
      rows.map(({ importId }) => importId),
    );
    return (row) => showImport(row, counts);
  },
  key: ({ importId }) => [importId],
});

export const getImportEndpoint = endpoint({
  summary: 'Get an import with its progress',
  access: canRead,
  ids,
  reply: importJson,
  async handle({ db, ids: { store: storeId, import: importId } }) {
    const found = await findImport(db, { storeId, importId });
    return found === null ? notFound : renderImport(db, found);
  },
});

export const changeImportEndpoint = endpoint({
  summary: 'Choose the columns, program, and message of an import that was not started, and validate its rows again',
  access: canWrite,
  ids,
  body: strictObject({
    columns: T.Optional(columnsJson),
    program_id: T.Optional(orNull(idField())),
    message: T.Optional(orNull(textField(invitationMessageLengthMax))),
  }),
  reply: importJson,
  audit: 'creator_import.change',
  async handle({ db, ids: { store: storeId, import: importId }, body }) {
    const found = await lockImport(db, { storeId, importId });
    if (found === null) return notFound;
    if (found.state !== 'draft') return refuse('conflict', apiMessage('imports_api.import_already_started_or_cancelled'));
    const columns = body.columns ?? found.columns;
    const outside = firstColumnOutside(columns, found.headers.length);
    if (outside !== null) return refuse('invalid_request', apiMessage('shared.body_invalid'), [outside]);
    const programId = body.program_id === undefined ? found.programId : await readProgram(db, storeId, body.program_id);
    if (isRefusal(programId)) return programId;
    const message = body.message === undefined ? found.message : body.message;
    const changed = await updateImport(db, { storeId, importId, columns, programId, message });
    const records = (await listAllImportRows(db, changed)).map(({ cells }) => cells);
    await replaceImportRows(db, changed, readRows(records, await rulesOf(db, changed)));
    return renderImport(db, changed);
  },
});

function firstColumnOutside(columns: StoredColumns, headers: number) {
  const outside = Object.entries(columns).find(([, column]) => (column ?? -1) >= headers);
  return outside === undefined
    ? null
    : { field: `columns.${outside[0]}`, message: apiMessage('imports_api.file_has_columns_counted_from', { headers }) };
}

/** Which group a creator is in decides what the creator earns, as in the operation that moves a member. */
const groupGuard = { proof: true, liveKeys: 'permitted' } as const;

export const startImportEndpoint = endpoint({
  summary: 'Start an import: invites the creator of each valid row; rows with a group need a recent proof of identity',
  access: canWrite,
  ids,
  reply: importJson,
  alsoRefuses: ['proof_required', 'person_required'],
  audit: 'creator_import.start',
  async handle({ platform, db, ids: { store: storeId, import: importId }, identity }) {
    const found = await lockImport(db, { storeId, importId });
    if (found === null) return notFound;
    if (await hasReadyRowsWithGroup(db, { storeId, importId })) {
      const refused = proofRefusal(groupGuard, { identity, mode: platform.config.mode, accept: '', now: realNow() });
      if (refused !== null) return refused;
    }
    const counts = await countImportRows(db, storeId, [importId]);
    if (!counts.some(({ state }) => state === 'ready')) return refuse('unprocessable', apiMessage('imports_api.import_has_no_valid_rows'));
    const started = await transitionImport(db, { storeId, importId, event: 'start', at: realNow() });
    if (started === null) return refuse('conflict', apiMessage('imports_api.import_already_started_or_cancelled'));
    await enqueueImports(db);
    return showImport(started, counts);
  },
});

export const cancelImportEndpoint = endpoint({
  summary: 'Cancel an import; invitations that were sent stay open',
  access: canWrite,
  ids,
  reply: importJson,
  audit: 'creator_import.cancel',
  async handle({ db, ids: { store: storeId, import: importId } }) {
    const found = await lockImport(db, { storeId, importId });
    if (found === null) return notFound;
    const cancelled = await transitionImport(db, { storeId, importId, event: 'cancel', at: realNow() });
    return cancelled === null
      ? refuse('conflict', apiMessage('imports_api.import_already', { state: found.state }))
      : renderImport(db, cancelled);
  },
});

const rowReasons = [...invalidReasons, ...skipReasons, ...importSkipReasons] as const;

const rowJson = namedObject('CreatorImportRow', {
  row: T.Integer({ description: 'As in a spreadsheet: the column titles are row 1' }),
  email: orNull(T.String()),
  name: orNull(T.String()),
  program_id: orNull(T.String()),
  note: orNull(T.String()),
  group_id: T.Optional(T.String({ description: 'The group that the creator joins; absent if the row names none' })),
  state: T.Enum(importRowStates),
  reason: orNull(T.Enum(rowReasons, { description: 'Why the row is invalid or was skipped' })),
  cells: T.Array(T.String()),
});
type RowJson = Static<typeof rowJson>;

const showRow = (row: StoredImportRow): RowJson => ({
  row: row.line,
  email: row.email,
  name: row.creatorName,
  program_id: row.programId && publicId('prog', row.programId),
  note: row.note,
  ...(row.groupId === null ? {} : { group_id: publicId('grp', row.groupId) }),
  state: row.state,
  reason: readReason(row.reason),
  cells: [...row.cells],
});

const readReason = (text: string | null): RowJson['reason'] => rowReasons.find((reason) => reason === text) ?? null;

const csvColumns: ReadonlyArray<CsvColumn<RowJson>> = [
  { title: 'row', cell: ({ row }) => row },
  { title: 'email', cell: ({ email, cells }) => email ?? cells.join(' ') },
  ...fieldColumns('name', 'program_id', 'note', 'state', 'reason'),
  { title: 'group_id', cell: ({ group_id: id }) => id ?? '' },
];

export const listImportRowsEndpoint = filteredListEndpoint({
  summary: 'List the rows of an import with their results, in the order of the file; as a file with Accept: text/csv',
  access: canRead,
  ids,
  query: T.Object({ ...pageFields, state: T.Optional(T.Enum(importRowStates)) }, { additionalProperties: false }),
  item: rowJson,
  readFilter: ({ query: { state } }) => ({ state: state ?? null }),
  exists: async ({ db, ids: { store: storeId, import: importId } }) => (await findImport(db, { storeId, importId })) !== null,
  rows: ({ db, ids: { store: storeId, import: importId }, filter }, page) => listImportRows(db, { storeId, importId, ...filter }, page),
  renderer: () => showRow,
  key: ({ line }) => [String(line)],
  keyShapes: [wholeNumberShape],
  csv: { name: 'import.csv', columns: csvColumns },
});
