import { expect, test } from 'vitest';
import { decidePayDate, type PayFacts } from './decide-pay-date.ts';

const day = (text: string) => new Date(`2026-${text}:00.000Z`);
const fresh: PayFacts = {
  now: day('03-10T12:00'),
  state: 'pending',
  isHeld: false,
  amount: 1_000n,
  holdUntil: day('04-09T12:00'),
  autoApproveAt: null,
  bill: null,
  reserve: { is: 'over' },
  payout: null,
};
const bill = { nextChargeAt: day('05-04T00:00'), isStuck: false };
const over = { holdUntil: day('03-01T12:00') };

/** Each row breaks something below it too. */
const ladder: ReadonlyArray<readonly [name: string, facts: Partial<PayFacts>, word: string, at: string | null]> = [
  [
    'paid is paid when its payout ended, held or not',
    { state: 'paid', payout: { endedAt: day('05-15T06:00') }, isHeld: true },
    'paid',
    '05-15T06:00',
  ],
  ['rejected is nothing', { state: 'rejected', isHeld: true }, 'nothing', null],
  ['reversed is nothing', { state: 'reversed', isHeld: true }, 'nothing', null],
  ['no amount is nothing', { amount: 0n, isHeld: true }, 'nothing', null],
  ['what is held has no day, wherever it stands', { state: 'collected', isHeld: true, payout: { endedAt: null } }, 'held', null],
  ['in a payout nobody can say when the bank is done', { state: 'collected', payout: { endedAt: null } }, 'in_payout', null],
  ['collected goes with the next payout', { state: 'collected', bill }, 'next_payout', '03-15T06:00'],
  [
    'collected in the reserve period of its store goes with the first payout after it',
    { state: 'collected', bill, reserve: { is: 'running', at: day('04-10T12:00') } },
    'reserve',
    '04-15T06:00',
  ],
  [
    'a payout run at the very end of the reserve period pays',
    { state: 'collected', bill, reserve: { is: 'running', at: day('04-15T06:00') } },
    'reserve',
    '04-15T06:00',
  ],
  [
    'a reserve period that ends with an invoice has no day',
    { state: 'collected', bill, reserve: { is: 'running', at: null } },
    'reserve',
    null,
  ],
  [
    'a reserve period that has not started begins with the expected charge',
    { state: 'billed', bill, reserve: { is: 'not_started', days: 30 } },
    'charge',
    '06-15T06:00',
  ],
  [
    'a bill that cannot be charged has no day',
    { state: 'billed', bill: { nextChargeAt: null, isStuck: true } },
    'merchant_cannot_pay',
    null,
  ],
  ['a bill is charged on its day, then comes the next payout', { state: 'billed', bill }, 'charge', '05-15T06:00'],
  [
    'a charge that is overdue is expected now',
    { state: 'billed', bill: { ...bill, nextChargeAt: day('03-01T00:00') } },
    'charge',
    '03-15T06:00',
  ],
  ['approved waits for its refund hold, the next cut and the charge', { state: 'approved' }, 'refund_hold', '05-15T06:00'],
  ['approved and past its hold waits for the next cut', { state: 'approved', ...over }, 'bill', '04-15T06:00'],
  [
    'what is ready at the very moment of the cut is on that bill',
    { state: 'approved', holdUntil: day('04-01T03:00') },
    'refund_hold',
    '04-15T06:00',
  ],
  ['a moment later it waits for the next one', { state: 'approved', holdUntil: day('04-01T03:01') }, 'refund_hold', '05-15T06:00'],
  ['what approves itself late goes by that', { ...over, autoApproveAt: day('04-20T12:00') }, 'approval', '05-15T06:00'],
  ['approved by hand is taken to be approved by the end of its hold', {}, 'approval', '05-15T06:00'],
  ['or now, where that is over', over, 'approval', '04-15T06:00'],
  ['a cut that is over takes nothing more', { now: day('04-01T03:00'), ...over, state: 'approved' }, 'bill', '05-15T06:00'],
];

test.each(ladder)('%s', (_name, facts, word, at) => {
  const decided = decidePayDate({ ...fresh, ...facts });
  expect([decided.word, decided.at]).toEqual([word, at === null ? null : day(at)]);
});

test('the steps are the reasons for the date, in their order', () => {
  expect(decidePayDate(fresh).steps).toEqual([
    { what: 'approved', at: null },
    { what: 'refund_hold_over', at: day('04-09T12:00') },
    { what: 'billed', at: day('05-01T03:00') },
    { what: 'charged', at: day('05-04T00:00') },
    { what: 'paid_out', at: day('05-15T06:00') },
  ]);
  expect(decidePayDate({ ...fresh, state: 'collected' }).steps).toEqual([{ what: 'paid_out', at: day('03-15T06:00') }]);
});
