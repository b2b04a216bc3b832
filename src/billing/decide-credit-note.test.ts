import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { amountsAfter, amountsBefore, decideCreditLine, decideRest, type CreditableLine } from './decide-credit-note.ts';
import type { IssuedAmounts, CreditedSoFar } from './invoice.ts';
import type { ShownInvoiceState } from './invoice-states.ts';

const at = new Date('2026-05-10T12:00:00.000Z');
const good: CreditableLine = {
  commissionId: newId<'com'>(at),
  creatorId: newId<'crt'>(at),
  amountCents: cents(1_000),
  state: 'billed',
  isInPayout: false,
  isPartlyBorne: false,
  isCredited: false,
};

/** In the order of the rules: each row also breaks every later rule that it can. */
test.each<[string, Partial<CreditableLine> | null, ShownInvoiceState, boolean]>([
  ['nothing: not_found', null, 'charging', true],
  ['nothing: ok', { isCredited: true, state: 'reversed', isInPayout: true }, 'charging', true],
  ['nothing: reversed', { state: 'reversed', isInPayout: true }, 'charging', true],
  ['nothing: conflict', { isInPayout: true }, 'charging', true],
  ['nothing: conflict', {}, 'unknown', true],
  ['nothing: conflict', { isPartlyBorne: true }, 'charged_back', true],
  ['nothing: conflict', { state: 'collected', isPartlyBorne: true }, 'paid', false],
  ['bear: ok', { state: 'collected', isPartlyBorne: true }, 'paid', true],
  ['bear: ok', { state: 'paid', isInPayout: true }, 'paid', true],
  ['bear: ok', { state: 'collected', isInPayout: true }, 'charged_back', true],
  ['nothing: conflict', { state: 'paid', isInPayout: true }, 'paid', false],
  ['credit before: ok', {}, 'issued', false],
  ['credit before: ok', {}, 'retrying', true],
  ['credit before: ok', {}, 'past_due', false],
  ['credit before: ok', {}, 'charged_back', false],
  ['credit after: ok', { state: 'collected' }, 'paid', false],
  ['credit after: ok', { state: 'collected' }, 'paid', true],
  ['nothing: conflict', { state: 'billed' }, 'paid', true],
  ['nothing: conflict', { state: 'collected' }, 'charged_back', true],
])(
  'decides "%s" for the line %o of an invoice that is %s, with the operator bearing it: %s',
  (decision, broken, invoiceState, operatorBears) => {
    const { do: what, word } = decideCreditLine(broken && { ...good, ...broken }, { invoiceState, operatorBears });
    expect(`${what}: ${word}`).toBe(decision);
  },
);

const nothingYet: CreditedSoFar = {
  beforeLines: cents(0),
  beforeFee: cents(0),
  beforeCredit: cents(0),
  afterLines: cents(0),
  afterFee: cents(0),
  afterUnclaimedLines: cents(0),
};
const invoiceOf = (lines: bigint, fee: bigint, feeBasisPoints: number, credit: bigint): IssuedAmounts => ({
  number: 1n,
  issuedAt: at,
  linesCount: 3,
  feeBasisPoints,
  linesCents: cents(lines),
  feeCents: cents(fee),
  creditCents: cents(credit),
  totalCents: cents(lines + fee - credit),
});

test('returns the whole fee and the used credit with the last line, whether lines are credited separately or together', () => {
  const invoice = invoiceOf(3_333n, 333n, 1_000, 500n);
  const lines = [1_111n, 1_111n, 1_111n].map(cents);
  let credited = nothingYet;
  let due: bigint = invoice.totalCents;
  for (const line of lines) {
    const note = amountsBefore(invoice, credited, [line]);
    due -= note.linesCents + note.feeCents - note.creditCents;
    expect(due).toBeGreaterThanOrEqual(0n);
    credited = {
      ...credited,
      beforeLines: cents(credited.beforeLines + note.linesCents),
      beforeFee: cents(credited.beforeFee + note.feeCents),
      beforeCredit: cents(credited.beforeCredit + note.creditCents),
    };
  }
  const whole = amountsBefore(invoice, nothingYet, lines);
  expect(credited).toMatchObject({ beforeLines: whole.linesCents, beforeFee: whole.feeCents, beforeCredit: whole.creditCents });
  expect({ due, fee: whole.feeCents, credit: whole.creditCents }).toEqual({ due: 0n, fee: 333n, credit: 500n });
});

test('reduces the fee of a paid invoice in the same way, and returns no used credit', () => {
  const invoice = invoiceOf(2_000n, 200n, 1_000, 900n);
  expect(amountsAfter(invoice, nothingYet, [cents(1_500)])).toEqual({ linesCents: 1_500n, feeCents: 150n, creditCents: 0n });
  const afterOne = { ...nothingYet, afterLines: cents(1_500), afterFee: cents(150) };
  expect(amountsAfter(invoice, afterOne, [cents(500)])).toEqual({ linesCents: 500n, feeCents: 50n, creditCents: 0n });
});

test.each([
  ['void', 0n, true],
  ['paid', 0n, false],
  ['written off', 49n, false],
  ['still owed', 50n, false],
] as const)('the rest of an invoice is %s when %i cents are due, wholly credited: %s', (rest, due, isWhollyCredited) => {
  expect(decideRest({ due: cents(due), isWhollyCredited, chargeMin: cents(50) })).toBe(rest);
});
