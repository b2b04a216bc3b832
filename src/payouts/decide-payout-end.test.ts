import { expect, test } from 'vitest';
import { decidePayoutEnd, type PayoutOutcome } from './decide-payout.ts';
import { type PayoutState, payoutStates } from './payout-states.ts';

const outcomes = {
  succeeded: { is: 'succeeded', providerId: 'po_1' },
  declined: { is: 'declined', providerId: null, code: 'no_account', message: 'The account does not exist.' },
  pending: { is: 'pending', providerId: 'po_1' },
  unknown: { is: 'unknown', why: 'no answer' },
  returned: { is: 'returned', why: 'account closed' },
} as const satisfies Readonly<Record<PayoutOutcome['is'], PayoutOutcome>>;

type Row = Readonly<Record<PayoutOutcome['is'], string>>;
const never: Row = { succeeded: 'wonder', declined: 'wonder', pending: 'wonder', unknown: 'wonder', returned: 'wonder' };
const open: Row = { succeeded: 'pay', declined: 'fail', pending: 'wait', unknown: 'wait', returned: 'return' };
const nothing: Row = { succeeded: 'nothing', declined: 'nothing', pending: 'nothing', unknown: 'nothing', returned: 'nothing' };

/** The decision for each outcome in each state. */
const table: Readonly<Record<PayoutState, Row>> = {
  gathering: never,
  given_up: never,
  awaiting_second: never,
  ready: never,
  sending: open,
  unknown: open,
  paid: { ...nothing, declined: 'contradict', returned: 'return' },
  failed: { ...nothing, succeeded: 'contradict', returned: 'wonder' },
  returned: nothing,
};

const rows = payoutStates.flatMap((state) => Object.values(outcomes).map((outcome) => [state, outcome.is, outcome] as const));
test.each(rows)('decides the end of a payout that is %s when the outcome is %s', (state, is, outcome) => {
  expect(decidePayoutEnd({ state, contradiction: 'none' }, outcome).do).toBe(table[state][is]);
});

/** How a contradiction changes the table: a repeated outcome has no effect, and a return settles a failed payout. */
const contradicted: Readonly<Record<'open' | 'decided', Partial<Readonly<Record<PayoutState, Row>>>>> = {
  open: { paid: { ...nothing, returned: 'return' }, failed: { ...nothing, returned: 'decide_contradiction' } },
  decided: { paid: { ...nothing, returned: 'return' }, failed: nothing },
};

const rowsContradicted = (['open', 'decided'] as const).flatMap((how) => rows.map((row) => [how, ...row] as const));
test.each(rowsContradicted)(
  'with a contradiction that is %s, decides the end of a payout that is %s when the outcome is %s',
  (contradiction, state, is, outcome) => {
    expect(decidePayoutEnd({ state, contradiction }, outcome).do).toBe((contradicted[contradiction][state] ?? table[state])[is]);
  },
);

const plain = (state: PayoutState) => ({ state, contradiction: 'none' }) as const;

test('a payout that was returned before its arrival was reported counts as arrived and returned', () => {
  const failure = { code: 'returned', message: 'account closed' };
  expect(decidePayoutEnd(plain('unknown'), outcomes.returned)).toEqual({ do: 'return', hadArrived: false, failure });
  expect(decidePayoutEnd(plain('paid'), outcomes.returned)).toEqual({ do: 'return', hadArrived: true, failure });
});

test('an unknown outcome brings no provider ID, and a pending outcome brings it', () => {
  expect(decidePayoutEnd(plain('sending'), outcomes.unknown)).toEqual({ do: 'wait', as: 'unknown', providerId: null });
  expect(decidePayoutEnd(plain('unknown'), outcomes.pending)).toEqual({ do: 'wait', as: 'sending', providerId: 'po_1' });
});
