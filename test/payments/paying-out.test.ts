import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as hand from './manual-subject.ts';
import * as guarantee from './guarantees.ts';
import { openSandboxSubject } from './subject-sandbox.ts';
import { openStripeSubject } from './subject-stripe.ts';
import { askingFor, type Subject } from './subject.ts';

/**
 * The guarantees of every payout provider. Manual payouts have no provider to call, so each guarantee also names its manual equivalent, and
 * none can be forgotten.
 */
const guarantees: ReadonlyArray<readonly [title: string, byProvider: guarantee.Guarantee, byPerson: hand.HandGuarantee]> = [
  ['moves its amount once when it is requested again, in sequence or ten times in parallel', guarantee.movesOnce, hand.marksOnce],
  [
    'moves its amount once for ten parallel first requests, none of which reports a failure',
    guarantee.movesOnceForTen,
    hand.marksOnceForTen,
  ],
  ['rejects a repeated request with different content and moves nothing more', guarantee.refusesOtherContent, hand.refusesAnotherReference],
  ['moves its exact amount to the given destination', guarantee.movesToTheCent, hand.showsExactAmount],
  ['is not repeated while we may still send its key', guarantee.outlivesOurKey, hand.isHandedOverOnce],
  ['moves nothing when it fails, and reports a code and a message', guarantee.saysWhyItFailed, hand.failsWithReason],
  ['is rejected without a known destination', guarantee.paysNoUnknownMethod, hand.marksNothingElse],
  ['does not fail without an answer in time, and is found later if it succeeded', guarantee.isFoundWhenDone, hand.silenceIsNoEnd],
  [
    'does not fail without an answer in time, and succeeds with the same key if it was not made',
    guarantee.isDoneByTheSameKey,
    hand.keepsAmountAfterCrash,
  ],
  ['is found by look-ups, and is absent only when that is reliable', guarantee.isFoundByItsName, hand.isNeverAbsent],
  ['is found only by its own reference and with its own amount', guarantee.isFoundAsItself, hand.marksItselfOnly],
  ['accepts webhook events only with a recent signature of its provider', guarantee.believesTheSignatureAlone, hand.ignoresWebhooks],
  ['reports returned money only from an authorized source', guarantee.reportsReturnedMoney, hand.comesBackByHand],
  ['moves nothing while it is pending', guarantee.comesToItsEnd, hand.isPendingUntilMarked],
];

describe.each([
  ['the sandbox', openSandboxSubject],
  ['Stripe', openStripeSubject],
])('%s: a payout', (_name, open) => {
  let subject: Subject;
  beforeAll(async () => void (subject = await open()));
  afterAll(() => subject.close());

  test('gets its outcome from its provider', () => expect(['at_once', 'later']).toContain(subject.payouts.ends));
  test.each(guarantees)('%s', (_title, expectOfProvider) => expectOfProvider(askingFor(subject, 'payout')));
});

describe('manual: a payout', () => {
  let page: hand.PayoutsPage;
  beforeAll(async () => void (page = await hand.openPayoutsPage()));
  afterAll(() => page.close());

  test('gets its outcome from a person', () => expect(hand.manualOf(page).ends).toBe('by_person'));
  test.each(guarantees)('%s', (_title, _byProvider, expectOfPerson) => expectOfPerson(page));
});
