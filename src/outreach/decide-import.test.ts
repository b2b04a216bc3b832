import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { guessColumns, readImportRows, type ImportColumns } from './decide-import.ts';

test.each([
  [['Email', 'Name'], { email: 0, name: 1, program: null, note: null, group: null }],
  [['Full name', ' E-mail address ', 'Program', 'Notes'], { email: 1, name: 0, program: 2, note: 3, group: null }],
  [['SUBID', 'mail', 'campaign'], { email: 1, name: null, program: 2, note: 0, group: null }],
  [['group_name', 'email'], { email: 1, name: null, program: null, note: null, group: 0 }],
  [['Email', 'Member group'], { email: 0, name: null, program: null, note: null, group: 1 }],
  [['a', 'b'], { email: null, name: null, program: null, note: null, group: null }],
])('the columns of %o are %o', (headers, columns) => {
  expect(guessColumns(headers)).toEqual(columns);
});

const at = new Date('2026-03-01T12:00:00.000Z');
const [summer, winter] = [newId<'prog'>(at), newId<'prog'>(at)];
const programs = [
  { programId: summer, publicId: 'prog_summer', name: 'Summer' },
  { programId: winter, publicId: 'prog_winter', name: 'Winter' },
];
const [stars, coldStars] = [newId<'grp'>(at), newId<'grp'>(at)];
const groups = [
  { programId: summer, groupId: stars, publicId: 'grp_stars', name: 'Stars' },
  { programId: winter, groupId: coldStars, publicId: 'grp_cold', name: 'Stars' },
];
const columns: ImportColumns = { email: 0, name: 1, program: 2, note: 3, group: 4 };
const readEmail = (text: string) => (text.includes('@') ? text.toLowerCase() : null);
const read = (records: ReadonlyArray<readonly string[]>, programId = summer as typeof summer | null) =>
  readImportRows(records, { columns, programs, groups, programId, readEmail });

test('a row is ready with its own program or the default one, and empty cells are left out', () => {
  expect(read([['A@b.example', ' Ann ', 'winter', 'sub-1'], ['c@d.example'], ['e@f.example', '', 'prog_summer', '']])).toEqual([
    { state: 'ready', email: 'a@b.example', creatorName: 'Ann', programId: winter, note: 'sub-1', groupId: null },
    { state: 'ready', email: 'c@d.example', creatorName: null, programId: summer, note: null, groupId: null },
    { state: 'ready', email: 'e@f.example', creatorName: null, programId: summer, note: null, groupId: null },
  ]);
});

test.each([
  [['', 'Ann'], 'email_missing'],
  [['nonsense', 'Ann'], 'email_invalid'],
  [['a@b.example', 'x'.repeat(201)], 'name_too_long'],
  [['a@b.example', 'Ann', '', 'x'.repeat(1_001)], 'note_too_long'],
  [['a@b.example', 'Ann', 'Autumn', '', 'Stars'], 'program_unknown'],
  [['a@b.example', 'Ann', 'Winter', '', 'Moons'], 'group_unknown'],
  [['a@b.example', 'Ann', 'Winter', '', 'grp_stars'], 'group_unknown'],
])('the row %o is invalid: %s', (cells, reason) => {
  expect(read([cells])).toMatchObject([{ state: 'invalid', reason }]);
});

test('a group is found by its name or ID among those of the program of the row', () => {
  const cells = (program: string, group: string) => ['a@b.example', '', program, '', group];
  const groupOf = (program: string, group: string) => read([cells(program, group)]).map((row) => row.state === 'ready' && row.groupId);
  expect(groupOf('Summer', ' stars ')).toEqual([stars]);
  expect(groupOf('Winter', 'STARS')).toEqual([coldStars]);
  expect(groupOf('Winter', 'grp_cold')).toEqual([coldStars]);
});

test('a row without a program is invalid if the import has none, and a repeated address is invalid per program', () => {
  expect(read([['a@b.example']], null)).toMatchObject([{ reason: 'program_missing' }]);
  expect(read([['a@b.example'], ['A@B.example'], ['a@b.example', '', 'Winter']]).map((row) => row.state)).toEqual([
    'ready',
    'invalid',
    'ready',
  ]);
});
