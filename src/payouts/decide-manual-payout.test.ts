import { expect, test } from 'vitest';
import type { PayoutEnds } from '../payments/provider.ts';
import { decideManualPayout, isPaidManually, type ManualPayoutDecision } from './decide-manual-payout.ts';
import { payoutStates, type PayoutState } from './payout-states.ts';

type Row = readonly [paid: ManualPayoutDecision, failed: ManualPayoutDecision, returned: ManualPayoutDecision];
const never: Row = ['not_sent', 'not_sent', 'not_sent'];

/** The answers for a manual payout, by state. */
const byHand: Readonly<Record<PayoutState, Row>> = {
  gathering: never,
  given_up: never,
  awaiting_second: never,
  ready: never,
  sending: ['go', 'go', 'on_its_way'],
  unknown: ['go', 'go', 'on_its_way'],
  paid: ['already', 'ended_otherwise', 'go'],
  failed: ['ended_otherwise', 'already', 'ended_otherwise'],
  returned: ['ended_otherwise', 'ended_otherwise', 'already'],
};
/** A person may record the end only if the provider does not report it. */
const byProvider: Readonly<Record<PayoutState, Row>> = { ...byHand, sending: ['on_its_way', 'on_its_way', 'on_its_way'] };

test.each(payoutStates)('decides which ends a person may record for a payout that is %s', (state) => {
  const said = (ends: PayoutEnds | null, doubt = {}) =>
    (['mark_paid', 'mark_failed', 'mark_returned'] as const).map((action) =>
      decideManualPayout(action, { state, ends, isAnotherReference: false, isContradicted: false, mayStillBeSent: false, ...doubt }),
    );
  expect(said('by_person')).toEqual(byHand[state]);
  for (const ends of ['at_once', 'later', null] as const) expect(said(ends)).toEqual(byProvider[state]);
  // While the key may be sent again, no person can know that the payout failed.
  const early: Row = ['go', 'may_still_be_sent', 'on_its_way'];
  expect(said('at_once', { mayStillBeSent: true })).toEqual(state === 'unknown' ? early : byProvider[state]);
  // A person may decide that a contradicted payout failed after all.
  const decided: Row = ['ended_otherwise', 'decides_contradiction', 'ended_otherwise'];
  expect(said('by_person', { isContradicted: true })).toEqual(state === 'failed' ? decided : byHand[state]);
  // A payout that was paid under one reference cannot be recorded under another.
  const another: Row = ['another_reference', 'ended_otherwise', 'go'];
  expect(said('by_person', { isAnotherReference: true })).toEqual(state === 'paid' ? another : byHand[state]);
});

test.each(payoutStates)('shows the destination of a payout that is %s only if a person has to pay it', (state) => {
  expect(isPaidManually({ state, ends: 'by_person' })).toBe(state === 'sending');
  for (const ends of ['at_once', 'later', null] as const) expect(isPaidManually({ state, ends })).toBe(false);
});
