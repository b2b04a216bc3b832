import { expect, test } from 'vitest';
import type { PayoutEnds } from '../providers/provider.ts';
import { decideByHand, isToBePaidByHand, surelyNeverSentAt, type HandDecision } from './decide-by-hand.ts';
import { payoutStates, type PayoutState } from './payout.ts';

type Row = readonly [paid: HandDecision, failed: HandDecision, returned: HandDecision];
const never: Row = ['not_sent', 'not_sent', 'not_sent'];

/** What a person may say of one that was paid by hand, in each state. */
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
/** A provider says itself how it ends, and only where it cannot, a person does. */
const byProvider: Readonly<Record<PayoutState, Row>> = { ...byHand, sending: ['on_its_way', 'on_its_way', 'on_its_way'] };

test.each(payoutStates)('what a person may say of a payout that is %s', (state) => {
  const said = (ends: PayoutEnds | null, doubt = {}) =>
    (['mark_paid', 'mark_failed', 'mark_returned'] as const).map((action) =>
      decideByHand(action, { state, ends, isAnotherReference: false, isContradicted: false, mayStillBeSent: false, ...doubt }),
    );
  expect(said('by_person')).toEqual(byHand[state]);
  for (const ends of ['at_once', 'later', null] as const) expect(said(ends)).toEqual(byProvider[state]);
  // While its key is sent again nobody knows that it failed; all else is as before.
  const early: Row = ['go', 'may_still_be_sent', 'on_its_way'];
  expect(said('at_once', { mayStillBeSent: true })).toEqual(state === 'unknown' ? early : byProvider[state]);
  // Of one that failed and was told paid afterwards a person says that it failed after all.
  const decided: Row = ['ended_otherwise', 'decides_contradiction', 'ended_otherwise'];
  expect(said('by_person', { isContradicted: true })).toEqual(state === 'failed' ? decided : byHand[state]);
  // What was paid by one reference is not paid by another.
  const another: Row = ['another_reference', 'ended_otherwise', 'go'];
  expect(said('by_person', { isAnotherReference: true })).toEqual(state === 'paid' ? another : byHand[state]);
});

test.each(payoutStates)('of one that is %s a person sees where to only where they were handed it', (state) => {
  expect(isToBePaidByHand({ state, ends: 'by_person' })).toBe(state === 'sending');
  for (const ends of ['at_once', 'later', null] as const) expect(isToBePaidByHand({ state, ends })).toBe(false);
});

test('that it was never sent is sure once the key is forgotten and the last call had its time', () => {
  const hour = 3_600_000;
  const at = (hours: number) => new Date(Date.UTC(2026, 4, 1) + hours * hour);
  const provider = { keyLifeMs: 20 * hour, absentIsSureAfterMs: hour };
  expect(surelyNeverSentAt({ sentAt: at(0), askedAt: at(3) }, provider)).toEqual(at(20));
  expect(surelyNeverSentAt({ sentAt: at(0), askedAt: at(19.5) }, provider)).toEqual(at(20.5));
  expect(surelyNeverSentAt({ sentAt: at(0), askedAt: at(2) }, null)).toEqual(new Date(at(2).getTime() + 60_000));
});
