import { expect, test } from 'vitest';
import { decideUndo, type UndoFacts } from './decide-undo.ts';

type Before = NonNullable<UndoFacts['before']>;
const before = (action: Before['action'], reason: string | null = null, note: string | null = null): Before => ({ action, reason, note });
const overtaken = { isOvertaken: true };

/** Each row also breaks something below it: the first word that holds is the answer. */
test.each<readonly [what: string, facts: Partial<UndoFacts> & Pick<UndoFacts, 'action'>, then: object | null]>([
  ['somebody decided since, of a hold', { action: 'hold', ...overtaken }, null],
  ['somebody decided since, of a release', { action: 'release', before: before('hold', 'dispute'), ...overtaken }, null],
  ['somebody decided since, of an approval', { action: 'approve', before: before('reject', 'returned'), ...overtaken }, null],
  ['a hold, after an older release', { action: 'hold', before: before('release') }, { do: 'release', note: null }],
  [
    'a release of what a person held',
    { action: 'release', before: before('hold', 'dispute', 'ask') },
    { do: 'hold', reason: 'dispute', note: 'ask' },
  ],
  ['a release of what the house held', { action: 'release' }, null],
  ['a release of what the house held after an older hold', { action: 'release', before: before('release') }, null],
  ['a release of a hold for a reason that no person gives', { action: 'release', before: before('hold', 'early_reversal') }, null],
  [
    'an approval of what was rejected',
    { action: 'approve', before: before('reject', 'returned', 'n') },
    { do: 'reject', reason: 'returned', note: 'n' },
  ],
  ['a rejection of what was approved', { action: 'reject', before: before('approve') }, { do: 'approve', note: null }],
  ['a reopening of what was approved', { action: 'reopen', before: before('approve') }, { do: 'approve', note: null }],
  ['an approval of what was reopened', { action: 'approve', before: before('reopen') }, { do: 'reopen', note: null }],
  ['the first decision of all', { action: 'reject' }, { do: 'reopen', note: null }],
])('%s', (_what, facts, then) => {
  expect(decideUndo({ isOvertaken: false, before: null, ...facts })).toEqual(then);
});
