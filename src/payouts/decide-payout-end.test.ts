import { expect, test } from 'vitest';
import { decideAsk, decidePayoutEnd, isSurelyAbsent, patienceMs, type PayoutNews } from './decide-payout-end.ts';
import { payoutStates, type PayoutState } from './payout.ts';

const heard = {
  succeeded: { is: 'succeeded', providerId: 'po_1' },
  declined: { is: 'declined', providerId: null, code: 'no_account', message: 'There is no such account.' },
  pending: { is: 'pending', providerId: 'po_1' },
  unknown: { is: 'unknown', why: 'no answer' },
  returned: { is: 'returned', why: 'account closed' },
} as const satisfies Readonly<Record<PayoutNews['is'], PayoutNews>>;

type Row = Readonly<Record<PayoutNews['is'], string>>;
const never: Row = { succeeded: 'wonder', declined: 'wonder', pending: 'wonder', unknown: 'wonder', returned: 'wonder' };
const open: Row = { succeeded: 'pay', declined: 'fail', pending: 'wait', unknown: 'wait', returned: 'return' };
const nothing: Row = { succeeded: 'nothing', declined: 'nothing', pending: 'nothing', unknown: 'nothing', returned: 'nothing' };

/** What each news does in each state: the whole table. */
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

const rows = payoutStates.flatMap((state) => Object.values(heard).map((news) => [state, news.is, news] as const));
test.each(rows)('%s, and then %s', (state, is, news) => {
  expect(decidePayoutEnd({ state, contradiction: 'none' }, news).do).toBe(table[state][is]);
});

/** What else a contradiction makes of it: told again it is nothing new, and one that failed is settled by its money's return. */
const contradicted: Readonly<Record<'open' | 'decided', Partial<Readonly<Record<PayoutState, Row>>>>> = {
  open: { paid: { ...nothing, returned: 'return' }, failed: { ...nothing, returned: 'decide_contradiction' } },
  decided: { paid: { ...nothing, returned: 'return' }, failed: nothing },
};

const rowsContradicted = (['open', 'decided'] as const).flatMap((how) => rows.map((row) => [how, ...row] as const));
test.each(rowsContradicted)('with a contradiction that is %s, %s, and then %s', (contradiction, state, is, news) => {
  expect(decidePayoutEnd({ state, contradiction }, news).do).toBe((contradicted[contradiction][state] ?? table[state])[is]);
});

const plain = (state: PayoutState) => ({ state, contradiction: 'none' }) as const;

test('what came back before its arrival was told has both behind it', () => {
  const failure = { code: 'returned', message: 'account closed' };
  expect(decidePayoutEnd(plain('unknown'), heard.returned)).toEqual({ do: 'return', hadArrived: false, failure });
  expect(decidePayoutEnd(plain('paid'), heard.returned)).toEqual({ do: 'return', hadArrived: true, failure });
});

test('an answer that says nothing leaves the name that was told before, one that says pending brings it', () => {
  expect(decidePayoutEnd(plain('sending'), heard.unknown)).toEqual({ do: 'wait', as: 'unknown', providerId: null });
  expect(decidePayoutEnd(plain('unknown'), heard.pending)).toEqual({ do: 'wait', as: 'sending', providerId: 'po_1' });
});

const sentAt = new Date('2026-03-01T06:00:00.000Z');
const after = (ms: number) => new Date(sentAt.getTime() + ms);
const keyLifeMs = 20 * 3_600_000;

test.each([
  ['the call may still be on its way', patienceMs - 1, sentAt, 'not_yet'],
  ['then it is looked up, and sent again with the same key', patienceMs, sentAt, 'look_up_then_pay'],
  ['as long as the key lives', keyLifeMs - 1, sentAt, 'look_up_then_pay'],
  ['and never after, whenever it was sent last', keyLifeMs, after(keyLifeMs - patienceMs), 'look_up'],
  ['a year later it is still looked up, and nothing else', 365 * 24 * 3_600_000, sentAt, 'look_up'],
] as const)('%s', (_title, ms, askedAt, ask) => {
  expect(decideAsk({ now: after(ms), sentAt, askedAt, keyLifeMs })).toBe(ask);
});

test('that nothing is found is believed only so long after the last call', () => {
  expect(isSurelyAbsent({ now: after(9_999), askedAt: sentAt }, 10_000)).toBe(false);
  expect(isSurelyAbsent({ now: after(10_000), askedAt: sentAt }, 10_000)).toBe(true);
});
