import { expect, test } from 'vitest';
import { afterDecline, chooseMethod, decideCharge, isChargeable, type ChargeFacts, type ChargeOutcome } from './decide-charge.ts';

const now = new Date('2026-05-04T04:00:00.000Z');
const weekAgo = new Date('2026-04-27T04:00:00.000Z');
const succeeded: ChargeOutcome = { is: 'succeeded', providerId: 'p' };
const declined: ChargeOutcome = { is: 'declined', providerId: 'p', code: 'card_declined', message: 'No.' };
const pending: ChargeOutcome = { is: 'pending', providerId: 'p' };
const unknown: ChargeOutcome = { is: 'unknown', why: 'no answer' };
const absent: ChargeOutcome = { is: 'absent' };

const facts = (charge: Partial<ChargeFacts['charge']> = {}, invoice: Partial<ChargeFacts['invoice']> = {}): ChargeFacts => ({
  now,
  charge: { state: 'sending', isBackup: false, invoiceWas: 'issued', ...charge },
  invoice: { failures: 0, firstFailedAt: null, isTakenCareOf: false, ...invoice },
});

/** In the order of the rules. */
test.each<[string, ChargeOutcome, ChargeFacts]>([
  ['nothing', succeeded, facts({ state: 'succeeded' }, { isTakenCareOf: true })],
  ['nothing', declined, facts({ state: 'succeeded' })],
  ['collect', succeeded, facts()],
  ['collect', succeeded, facts({ state: 'pending' })],
  ['collect', succeeded, facts({ state: 'unknown' })],
  ['raise alarm', succeeded, facts({ state: 'absent' }, { isTakenCareOf: true })],
  ['raise alarm', succeeded, facts({ state: 'declined' }, { isTakenCareOf: true })],
  ['collect', succeeded, facts({ state: 'absent' })],
  ['collect', succeeded, facts({ state: 'declined' })],
  ['nothing', declined, facts({ state: 'declined' })],
  ['nothing', pending, facts({ state: 'declined' })],
  ['nothing', unknown, facts({ state: 'absent' })],
  ['wait: pending, invoice charging', pending, facts({ state: 'unknown' })],
  ['nothing', unknown, facts({ state: 'pending' })],
  ['nothing', absent, facts({ state: 'pending' })],
  ['wait: unknown, invoice unknown', unknown, facts()],
  ['fail: absent, invoice issued', absent, facts({ state: 'unknown' })],
  ['fail: absent, invoice charged_back', absent, facts({ state: 'unknown', invoiceWas: 'charged_back' })],
  ['fail: declined, invoice retrying', declined, facts({ state: 'pending' })],
  ['fail: declined, invoice past_due', declined, facts({ invoiceWas: 'retrying' }, { failures: 4, firstFailedAt: weekAgo })],
  ['fail: declined, invoice retrying', declined, facts({ invoiceWas: 'retrying' }, { failures: 4, firstFailedAt: now })],
  ['fail: declined, invoice past_due', declined, facts({ invoiceWas: 'past_due' }, { failures: 5, firstFailedAt: now })],
  ['fail: declined, invoice charged_back', declined, facts({ invoiceWas: 'charged_back' })],
  ['fail: declined, invoice retrying', declined, facts({ isBackup: true, invoiceWas: 'retrying' }, { failures: 4, firstFailedAt: now })],
])('decides "%s" for the outcome %o of a charge with %o', (decision, outcome, given) => {
  const decided = decideCharge(outcome, given);
  const words =
    decided.do === 'wait'
      ? `wait: ${decided.charge}, invoice ${decided.invoice}`
      : decided.do === 'fail'
        ? `fail: ${decided.charge}, invoice ${decided.invoice.state}`
        : decided.do;
  expect(words).toBe(decision);
});

test('retries a declined charge 1, 3, 5, and 7 days after the first failure, then marks the invoice past due', () => {
  let invoice = { failures: 0, firstFailedAt: null as Date | null };
  let at: Date | null = now;
  const days: string[] = [];
  for (let tried = 0; at !== null; tried += 1) {
    expect(tried).toBeLessThan(5);
    const after = afterDecline(at, { isBackup: false, invoiceWas: tried === 0 ? 'issued' : 'retrying' }, invoice);
    invoice = after;
    at = after.nextChargeAt;
    days.push(`${after.state} ${at?.toISOString().slice(0, 10) ?? ''}`);
  }
  expect(days).toEqual(['retrying 2026-05-05', 'retrying 2026-05-07', 'retrying 2026-05-09', 'retrying 2026-05-11', 'past_due ']);
});

test('tries the default method immediately after a declined backup, without counting a failure', () => {
  const failed = { failures: 2, firstFailedAt: now };
  expect(afterDecline(now, { isBackup: true, invoiceWas: 'retrying' }, failed)).toEqual({
    state: 'retrying',
    nextChargeAt: now,
    failures: 2,
    firstFailedAt: now,
    isBackupTried: true,
  });
});

const usual = { isBackup: false };
const backup = { isBackup: true };
test.each([
  ['issued', 0, false, [usual, backup], usual],
  ['issued', 0, false, [backup], backup],
  ['issued', 0, false, [], null],
  ['retrying', 1, false, [usual, backup], backup],
  ['retrying', 1, true, [usual, backup], usual],
  ['retrying', 1, true, [backup], backup],
  ['retrying', 4, false, [usual], usual],
  ['charged_back', 0, false, [usual, backup], backup],
  ['charged_back', 0, true, [usual, backup], usual],
  ['charged_back', 0, false, [usual], usual],
] as const)(
  'for a %s invoice after %i failures, with the backup tried today: %s, chooses from %o the method %o',
  (state, failures, isBackupTried, methods, chosen) => {
    expect(chooseMethod({ state, failures, isBackupTried }, [...methods])).toEqual(chosen);
  },
);

const tomorrow = new Date('2026-05-05T00:00:00.000Z');
test.each([
  ['due', 'issued', now, true],
  ['due', 'issued', tomorrow, false],
  ['due', 'retrying', null, false],
  ['due or issued', 'issued', tomorrow, true],
  ['due or issued', 'retrying', tomorrow, false],
  ['due or issued', 'retrying', now, true],
  ['open', 'retrying', tomorrow, true],
  ['open', 'charged_back', null, true],
] as const)(
  'when charging what is %s, an invoice that is %s and next charged %s is charged: %s',
  (wanted, state, nextChargeAt, isCharged) => {
    expect(isChargeable(wanted, { state, nextChargeAt }, now)).toBe(isCharged);
  },
);
