import { expect, test } from 'vitest';
import { decidePayDate, type PayFacts } from './decide-pay-date.ts';

const day = (text: string) => new Date(`2026-${text}:00.000Z`);
const pendingSale: PayFacts = {
  now: day('03-10T12:00'),
  state: 'pending',
  isHeld: false,
  amount: 1_000n,
  holdUntil: day('04-09T12:00'),
  autoApproveAt: null,
  invoice: null,
  reserve: { is: 'over' },
  payout: null,
};
const invoice = { nextChargeAt: day('05-04T00:00'), isStuck: false };
const holdOver = { holdUntil: day('03-01T12:00') };

/** Each row would have another result if a later rule came first. */
const rules: ReadonlyArray<readonly [name: string, facts: Partial<PayFacts>, word: string, at: string | null]> = [
  [
    'a paid sale was paid at the end of its payout, on hold or not',
    { state: 'paid', payout: { endedAt: day('05-15T06:00') }, isHeld: true },
    'paid',
    '05-15T06:00',
  ],
  ['a rejected sale has no payment', { state: 'rejected', isHeld: true }, 'nothing', null],
  ['a reversed sale has no payment', { state: 'reversed', isHeld: true }, 'nothing', null],
  ['a commission of 0 has no payment', { amount: 0n, isHeld: true }, 'nothing', null],
  ['a sale on hold has no date in any state', { state: 'collected', isHeld: true, payout: { endedAt: null } }, 'held', null],
  [
    'a sale in a payout has no date, because the bank is unpredictable',
    { state: 'collected', payout: { endedAt: null } },
    'in_payout',
    null,
  ],
  ['a collected sale is in the next payout', { state: 'collected', invoice: invoice }, 'next_payout', '03-15T06:00'],
  [
    'a collected sale in the reserve period is in the first payout after the period',
    { state: 'collected', invoice: invoice, reserve: { is: 'running', at: day('04-10T12:00') } },
    'reserve',
    '04-15T06:00',
  ],
  [
    'a payout run at the exact end of the reserve period includes the sale',
    { state: 'collected', invoice: invoice, reserve: { is: 'running', at: day('04-15T06:00') } },
    'reserve',
    '04-15T06:00',
  ],
  [
    'a reserve period without an end date gives no date',
    { state: 'collected', invoice: invoice, reserve: { is: 'running', at: null } },
    'reserve',
    null,
  ],
  [
    'a reserve period that has not started is assumed to start with the expected charge',
    { state: 'billed', invoice: invoice, reserve: { is: 'not_started', days: 30 } },
    'charge',
    '06-15T06:00',
  ],
  [
    'an invoice that cannot be charged gives no date',
    { state: 'billed', invoice: { nextChargeAt: null, isStuck: true } },
    'merchant_cannot_pay',
    null,
  ],
  ['an invoice is charged on its date, followed by the next payout', { state: 'billed', invoice: invoice }, 'charge', '05-15T06:00'],
  [
    'an overdue charge is expected now',
    { state: 'billed', invoice: { ...invoice, nextChargeAt: day('03-01T00:00') } },
    'charge',
    '03-15T06:00',
  ],
  ['an approved sale waits for the refund hold, the next billing run, and the charge', { state: 'approved' }, 'refund_hold', '05-15T06:00'],
  ['an approved sale past its refund hold waits for the next billing run', { state: 'approved', ...holdOver }, 'bill', '04-15T06:00'],
  [
    'a sale that is ready exactly at a billing run is on that invoice',
    { state: 'approved', holdUntil: day('04-01T03:00') },
    'refund_hold',
    '04-15T06:00',
  ],
  [
    'a sale that is ready a minute later waits for the next billing run',
    { state: 'approved', holdUntil: day('04-01T03:01') },
    'refund_hold',
    '05-15T06:00',
  ],
  ['a late automatic approval determines the date', { ...holdOver, autoApproveAt: day('04-20T12:00') }, 'approval', '05-15T06:00'],
  ['a manual approval is assumed at the end of the refund hold', {}, 'approval', '05-15T06:00'],
  ['a manual approval is assumed now if the refund hold has passed', holdOver, 'approval', '04-15T06:00'],
  [
    'a billing run at the current time no longer includes the sale',
    { now: day('04-01T03:00'), ...holdOver, state: 'approved' },
    'bill',
    '05-15T06:00',
  ],
];

test.each(rules)('%s', (_name, facts, word, at) => {
  const decided = decidePayDate({ ...pendingSale, ...facts });
  expect([decided.state, decided.at]).toEqual([word, at === null ? null : day(at)]);
});

test('the steps explain the date in order', () => {
  expect(decidePayDate(pendingSale).steps).toEqual([
    { what: 'approved', at: null },
    { what: 'refund_hold_over', at: day('04-09T12:00') },
    { what: 'billed', at: day('05-01T03:00') },
    { what: 'charged', at: day('05-04T00:00') },
    { what: 'paid_out', at: day('05-15T06:00') },
  ]);
  expect(decidePayDate({ ...pendingSale, state: 'collected' }).steps).toEqual([{ what: 'paid_out', at: day('03-15T06:00') }]);
});
