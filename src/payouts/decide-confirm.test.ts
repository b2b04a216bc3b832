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

describe('a payout above the limit is confirmed', () => {
  test.each<readonly [string, Partial<ConfirmFacts>, ConfirmDecision]>([
    ['by an operator who has nothing to do with it', {}, 'go'],
    ['while it waits, and not afterwards', { ...as({ isOperator: false }), state: 'ready' }, 'not_waiting'],
    ['not by an API key', { confirmer: null, ...twice }, 'no_person'],
    [
      'not by somebody who lost the right',
      { ...as({ ...breakingPayee, isOperator: false }), startedByUserId: 'olive', methodSetByUserId: 'olive', ...twice },
      'not_operator',
    ],
    ['not by who started it', { ...as(breakingPayee), startedByUserId: 'olive', methodSetByUserId: 'olive', ...twice }, 'started_it'],
    ['not by who set where it goes', { ...as(breakingPayee), methodSetByUserId: 'olive', ...twice }, 'set_the_method'],
    ['not by the payee', { ...as(breakingPayee), ...twice }, 'is_payee'],
    ['not by who has the mailbox of the payee', { ...as(breakingMailbox), ...twice }, 'same_mailbox'],
    ['not by who is paid to the same account', { ...as(breakingAccount), ...twice }, 'same_account'],
    ['not by a new operator', { ...as(breakingNew), ...twice }, 'new_operator'],
    ['not twice by one person', twice, 'confirmed_already'],
    ['by an operator of exactly 72 hours', as({ establishedAt: now }), 'go'],
    ['by a second person after a first', { startedByUserId: null, confirmedBy: set('otto') }, 'go'],
    ['by an operator who is another creator', as({ creatorId: 'other', accounts: set('manual:DE03') }), 'go'],
  ])('%s', (_what, facts, decision) => {
    expect(decideConfirm({ ...usual, ...facts })).toBe(decision);
  });
});

test('a run that a person started takes one more person, what the calendar or an unowned key started takes two', () => {
  expect(confirmationsNeeded({ startedByUserId: 'otto' })).toBe(1);
  expect(confirmationsNeeded({ startedByUserId: null })).toBe(2);
});
