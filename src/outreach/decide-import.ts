import type { Id } from '../core/ids.ts';
import { invitationMessageLengthMax } from './decide-invitation.ts';

/** Which column of the file, counted from 0, has what. */
export type ImportColumns = {
  readonly email: number | null;
  readonly name: number | null;
  readonly program: number | null;
  readonly note: number | null;
  readonly group: number | null;
};

export const importRowsMax = 5_000;
export const importCellLengthMax = 2_000;
const nameLengthMax = 200;

export const invalidReasons = [
  'email_missing',
  'email_invalid',
  'name_too_long',
  'note_too_long',
  'program_unknown',
  'program_missing',
  'group_unknown',
  'duplicate',
] as const;
export type InvalidReason = (typeof invalidReasons)[number];

/** Why a row was skipped, besides the reasons of any invitation. A member moves only when the merchant asks for it after the import. */
export const importSkipReasons = ['program_not_open', 'member_in_other_group', 'moved_to_group', 'no_longer_member'] as const;

export type ImportProgram = { readonly programId: Id<'prog'>; readonly publicId: string; readonly name: string };

export type ImportGroup = { readonly programId: Id<'prog'>; readonly groupId: Id<'grp'>; readonly publicId: string; readonly name: string };

export type ImportRow =
  | {
      readonly state: 'ready';
      readonly email: string;
      readonly creatorName: string | null;
      readonly programId: Id<'prog'>;
      readonly note: string | null;
      readonly groupId: Id<'grp'> | null;
    }
  | { readonly state: 'invalid'; readonly reason: InvalidReason; readonly email: string | null };

const titles: Readonly<Record<keyof ImportColumns, RegExp>> = {
  email: /^e-?mail(?:[ _-]?address)?$|^mail$/,
  name: /^(?:full |creator |display )?name$|^creator$|^partner$/,
  program: /^program(?:[ _]?(?:id|name))?$|^campaign$/,
  note: /^notes?$|^sub[ _-]?id$|^comments?$/,
  group: /^(?:(?:creator|member|partner) )?group(?:[ _]?(?:id|name))?$/,
};

/** Finds the columns by their usual titles. A column that is not found is null, and the merchant chooses it. */
export function guessColumns(headers: readonly string[]): ImportColumns {
  const find = (title: RegExp): number | null => {
    const index = headers.findIndex((header) => title.test(header.trim().toLowerCase()));
    return index === -1 ? null : index;
  };
  return {
    email: find(titles.email),
    name: find(titles.name),
    program: find(titles.program),
    note: find(titles.note),
    group: find(titles.group),
  };
}

export type ImportRules = {
  readonly columns: ImportColumns;
  readonly programs: readonly ImportProgram[];
  readonly groups: readonly ImportGroup[];
  /** The program for rows without one. */
  readonly programId: Id<'prog'> | null;
  readonly readEmail: (text: string) => string | null;
};

/** Reads all rows of a file. Of two rows with the same address and program, the second is invalid. */
export function readImportRows(records: ReadonlyArray<readonly string[]>, rules: ImportRules): readonly ImportRow[] {
  const seen = new Set<string>();
  return records.map((cells) => {
    const row = readImportRow(cells, rules);
    if (row.state === 'invalid') return row;
    const key = `${row.programId} ${row.email}`;
    if (seen.has(key)) return { state: 'invalid', reason: 'duplicate', email: row.email };
    seen.add(key);
    return row;
  });
}

function readImportRow(cells: readonly string[], { columns, programs, groups, programId, readEmail }: ImportRules): ImportRow {
  const cell = (column: number | null): string => (column === null ? '' : (cells[column] ?? '').trim());
  const [typedEmail, name, programCell, note] = [cell(columns.email), cell(columns.name), cell(columns.program), cell(columns.note)];
  const email = typedEmail === '' ? null : readEmail(typedEmail);
  const invalid = (reason: InvalidReason): ImportRow => ({ state: 'invalid', reason, email });
  if (typedEmail === '') return invalid('email_missing');
  if (email === null) return invalid('email_invalid');
  if (name.length > nameLengthMax) return invalid('name_too_long');
  if (note.length > invitationMessageLengthMax) return invalid('note_too_long');
  const program = programCell === '' ? programId : findProgramByText(programs, programCell);
  if (program === null) return invalid(programCell === '' ? 'program_missing' : 'program_unknown');
  const groupCell = cell(columns.group);
  const group = groups.find((one) => one.programId === program && isNamed(one, groupCell));
  if (groupCell !== '' && group === undefined) return invalid('group_unknown');
  return {
    state: 'ready',
    email,
    creatorName: name === '' ? null : name,
    programId: program,
    note: note === '' ? null : note,
    groupId: group?.groupId ?? null,
  };
}

const findProgramByText = (programs: readonly ImportProgram[], text: string): Id<'prog'> | null =>
  programs.find((program) => isNamed(program, text))?.programId ?? null;

/** By ID or by name, ignoring case. */
const isNamed = ({ publicId, name }: Pick<ImportProgram, 'publicId' | 'name'>, text: string): boolean =>
  publicId === text || name.toLowerCase() === text.toLowerCase();
