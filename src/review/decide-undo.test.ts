import { expect, test } from 'vitest';
import { decideUndo, type UndoFacts } from './decide-undo.ts';

type Before = NonNullable<UndoFacts['before']>;
const before = (action: Before['action'], reason: string | null = null, note: string | null = null): Before => ({ action, reason, note });
const superseded = { isSuperseded: true };

/** Each row also matches a rule below it; the first one decides. */
test.each<readonly [what: string, facts: Partial<UndoFacts> & Pick<UndoFacts, 'action'>, then: object | null]>([
  ['skips a hold that was decided on since', { action: 'hold', ...superseded }, null],
  ['skips a release that was decided on since', { action: 'release', before: before('hold', 'dispute'), ...superseded }, null],
  ['skips an approval that was decided on since', { action: 'approve', before: before('reject', 'returned'), ...superseded }, null],
  ['releases a hold that followed a release', { action: 'hold', before: before('release') }, { do: 'release', note: null }],
  [
    'restores the hold of a person after a release',
    { action: 'release', before: before('hold', 'dispute', 'ask') },
    { do: 'hold', reason: 'dispute', note: 'ask' },
  ],
  ['does not restore a hold of the platform', { action: 'release' }, null],
  ['does not restore a hold of the platform that followed a release', { action: 'release', before: before('release') }, null],
  [
    'does not restore a hold for a reason that only the platform gives',
    { action: 'release', before: before('hold', 'early_reversal') },
    null,
  ],
  [
    'rejects again after the approval of a rejected commission',
    { action: 'approve', before: before('reject', 'returned', 'n') },
    { do: 'reject', reason: 'returned', note: 'n' },
  ],
  [
    'approves again after the rejection of an approved commission',
    { action: 'reject', before: before('approve') },
    { do: 'approve', note: null },
  ],
  [
    'approves again after the reopening of an approved commission',
    { action: 'reopen', before: before('approve') },
    { do: 'approve', note: null },
  ],
  [
    'reopens again after the approval of a reopened commission',
    { action: 'approve', before: before('reopen') },
    { do: 'reopen', note: null },
  ],
  ['reopens after the first decision', { action: 'reject' }, { do: 'reopen', note: null }],
])('%s', (_what, facts, then) => {
  expect(decideUndo({ isSuperseded: false, before: null, ...facts })).toEqual(then);
});
