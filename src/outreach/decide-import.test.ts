import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { guessColumns, readImportRows, type ImportColumns } from './decide-import.ts';

test.each([
  [['Email', 'Name'], { email: 0, name: 1, program: null, note: null }],
  [['Full name', ' E-mail address ', 'Program', 'Notes'], { email: 1, name: 0, program: 2, note: 3 }],
  [['SUBID', 'mail', 'campaign'], { email: 1, name: null, program: 2, note: 0 }],
  [['a', 'b'], { email: null, name: null, program: null, note: null }],
])('the columns of %o are %o', (headers, columns) => {
  expect(guessColumns(headers)).toEqual(columns);
});

const at = new Date('2026-03-01T12:00:00.000Z');
const [summer, winter] = [newId<'prog'>(at), newId<'prog'>(at)];
const programs = [
  { programId: summer, publicId: 'prog_summer', name: 'Summer' },
  { programId: winter, publicId: 'prog_winter', name: 'Winter' },
];
const columns: ImportColumns = { email: 0, name: 1, program: 2, note: 3 };
const readEmail = (text: string) => (text.includes('@') ? text.toLowerCase() : null);
const read = (records: ReadonlyArray<readonly string[]>, programId = summer as typeof summer | null) =>
  readImportRows(records, { columns, programs, programId, readEmail });

test('a row is ready with its own program or the default one, and empty cells are left out', () => {
  expect(read([['A@b.example', ' Ann ', 'winter', 'sub-1'], ['c@d.example'], ['e@f.example', '', 'prog_summer', '']])).toEqual([
    { state: 'ready', email: 'a@b.example', creatorName: 'Ann', programId: winter, note: 'sub-1' },
    { state: 'ready', email: 'c@d.example', creatorName: null, programId: summer, note: null },
    { state: 'ready', email: 'e@f.example', creatorName: null, programId: summer, note: null },
  ]);
});

test.each([
  [['', 'Ann'], 'email_missing'],
  [['nonsense', 'Ann'], 'email_invalid'],
  [['a@b.example', 'x'.repeat(201)], 'name_too_long'],
  [['a@b.example', 'Ann', '', 'x'.repeat(1_001)], 'note_too_long'],
  [['a@b.example', 'Ann', 'Autumn'], 'program_unknown'],
])('the row %o is invalid: %s', (cells, reason) => {
  expect(read([cells])).toMatchObject([{ state: 'invalid', reason }]);
});

test('a row without a program is invalid if the import has none, and a repeated address is invalid per program', () => {
  expect(read([['a@b.example']], null)).toMatchObject([{ reason: 'program_missing' }]);
  expect(read([['a@b.example'], ['A@B.example'], ['a@b.example', '', 'Winter']]).map((row) => row.state)).toEqual([
    'ready',
    'invalid',
    'ready',
  ]);
});
