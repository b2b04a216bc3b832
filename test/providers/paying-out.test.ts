import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as hand from './by-person.ts';
import * as guarantee from './guarantees.ts';
import { openSandboxSubject } from './subject-sandbox.ts';
import { openStripeSubject } from './subject-stripe.ts';
import { askingFor, type Subject } from './subject.ts';

/**
 * What everybody holds who pays creators. Where a person pays there is nobody to call, to ask or to believe: beside each guarantee
 * stands what must hold then, so that none of them is left out.
 */
const guarantees: ReadonlyArray<readonly [title: string, byProvider: guarantee.Guarantee, byPerson: hand.HandGuarantee]> = [
  ['asked for again, one after the other or by ten at once, moves its amount once', guarantee.movesOnce, hand.marksOnce],
  ['that ten ask for at the same moment moves once, and nobody is told that it failed', guarantee.movesOnceForTen, hand.marksOnceForTen],
  ['asked for again with other content is refused, and moves nothing more', guarantee.refusesOtherContent, hand.refusesAnotherReference],
  ['moves its amount to the cent, to where it was told', guarantee.movesToTheCent, hand.tellsToTheCent],
  ['is not made anew for as long as its key is sent again by us', guarantee.outlivesOurKey, hand.isHandedOverOnce],
  ['that fails moves nothing, and says why in words and with a code', guarantee.saysWhyItFailed, hand.failsWithReason],
  ['of which nobody was told where to is refused', guarantee.paysNobodyUnknown, hand.marksNothingElse],
  ['without an answer in time never failed, and is found where it was done', guarantee.isFoundWhenDone, hand.silenceIsNoEnd],
  [
    'without an answer in time never failed, and is done under the same key where it was not',
    guarantee.isDoneByTheSameKey,
    hand.deathHandsOverTheSame,
  ],
  ['is found again, and absent only where that is sure', guarantee.isFoundByItsName, hand.isNeverAbsent],
  ['is found under its own reference and with its own amount only', guarantee.isFoundAsItself, hand.marksItselfOnly],
  ['is told by news that is believed only if its provider signed it, just now', guarantee.believesTheSignatureAlone, hand.believesNoNews],
  ['whose money comes back is told so, and who may say it', guarantee.tellsMoneyThatCameBack, hand.comesBackByHand],
  ['that is pending moves nothing until its end', guarantee.comesToItsEnd, hand.isPendingUntilMarked],
];

describe.each([
  ['the sandbox', openSandboxSubject],
  ['Stripe', openStripeSubject],
])('%s: a payout', (_name, open) => {
  let subject: Subject;
  beforeAll(async () => void (subject = await open()));
  afterAll(() => subject.close());

  test('is ended by its provider', () => expect(['at_once', 'later']).toContain(subject.payouts.ends));
  test.each(guarantees)('%s', (_title, expectOfProvider) => expectOfProvider(askingFor(subject, 'payout')));
});

describe('by hand: a payout', () => {
  let desk: hand.Desk;
  beforeAll(async () => void (desk = await hand.openDesk()));
  afterAll(() => desk.close());

  test('is ended by a person', () => expect(hand.manualOf(desk).ends).toBe('by_person'));
  test.each(guarantees)('%s', (_title, _byProvider, expectOfPerson) => expectOfPerson(desk));
});
