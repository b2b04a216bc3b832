import { describe, expect, test } from 'vitest';
import { confirmationsNeeded, decideConfirm, type Confirmer, type ConfirmDecision, type ConfirmFacts } from './decide-confirm.ts';

const now = new Date('2026-03-10T12:00:00Z');
const set = (...words: string[]) => new Set(words);
const olive: Confirmer = {
  userId: 'olive',
  isOperator: true,
  since: null,
  establishedAt: null,
  invitedBy: null,
  creatorId: null,
  mailboxes: set('olive@people.example'),
  accounts: set(),
};
const usual: ConfirmFacts = {
  state: 'awaiting_second',
  confirmer: olive,
  payee: { creatorId: 'cora', mailboxes: set('cora@people.example'), accounts: set('manual:DE02') },
  startedByUserId: 'otto',
  methodSetByUserId: 'cora',
  confirmedBy: set(),
  now,
};
const as = (facts: Partial<Confirmer>): Partial<ConfirmFacts> => ({ confirmer: { ...olive, ...facts } });

/** Each row breaks its rule and every one below it. */
const breakingNew = { establishedAt: new Date(now.getTime() + 1) };
const breakingAccount = { ...breakingNew, accounts: set('manual:DE02') };
const breakingMailbox = { ...breakingAccount, mailboxes: set('olive@people.example', 'cora@people.example') };
const breakingPayee = { ...breakingMailbox, creatorId: 'cora' };
const twice = { confirmedBy: set('olive') };

describe('confirmation of a payout above the limit', () => {
  test.each<readonly [string, Partial<ConfirmFacts>, ConfirmDecision]>([
    ['accepts an unrelated operator', {}, 'go'],
    ['rejects a confirmation if the payout no longer waits', { ...as({ isOperator: false }), state: 'ready' }, 'not_waiting'],
    ['rejects an API key', { confirmer: null, ...twice }, 'no_person'],
    [
      'rejects a person who lost the right',
      { ...as({ ...breakingPayee, isOperator: false }), startedByUserId: 'olive', methodSetByUserId: 'olive', ...twice },
      'not_operator',
    ],
    [
      'rejects the person who started the run',
      { ...as(breakingPayee), startedByUserId: 'olive', methodSetByUserId: 'olive', ...twice },
      'started_it',
    ],
    ['rejects the person who set the payout method', { ...as(breakingPayee), methodSetByUserId: 'olive', ...twice }, 'set_the_method'],
    ['rejects the payee', { ...as(breakingPayee), ...twice }, 'is_payee'],
    ['rejects a person with the mailbox of the payee', { ...as(breakingMailbox), ...twice }, 'same_mailbox'],
    ['rejects a person who is paid to the same account', { ...as(breakingAccount), ...twice }, 'same_account'],
    ['rejects a new operator', { ...as(breakingNew), ...twice }, 'new_operator'],
    ['rejects a second confirmation by one person', twice, 'confirmed_already'],
    ['accepts an operator of exactly 72 hours', as({ establishedAt: now }), 'go'],
    ['accepts a second person after the first', { startedByUserId: null, confirmedBy: set('otto') }, 'go'],
    ['accepts an operator who is another creator', as({ creatorId: 'other', accounts: set('manual:DE03') }), 'go'],
  ])('%s', (_what, facts, decision) => {
    expect(decideConfirm({ ...usual, ...facts })).toBe(decision);
  });
});

test('a run that a person started needs one more person; a scheduled run, or one by a key without an owner, needs two', () => {
  expect(confirmationsNeeded({ startedByUserId: 'otto' })).toBe(1);
  expect(confirmationsNeeded({ startedByUserId: null })).toBe(2);
});
