import { afterAll, beforeAll, describe, test } from 'vitest';
import * as guarantee from './guarantees.ts';
import { openSandboxSubject } from './subject-sandbox.ts';
import { openStripeSubject } from './subject-stripe.ts';
import { askingFor, type Subject } from './subject.ts';

/** What everybody holds who charges a saved method. */
const guarantees: ReadonlyArray<readonly [title: string, holds: guarantee.Guarantee]> = [
  ['asked for again, one after the other or by ten at once, moves its amount once', guarantee.movesOnce],
  ['that ten ask for at the same moment moves once, and nobody is told that it failed', guarantee.movesOnceForTen],
  ['asked for again with other content is refused, and moves nothing more', guarantee.refusesOtherContent],
  ['moves its amount to the cent, from the method that was told', guarantee.movesToTheCent],
  ['is not made anew for as long as its key is sent again by us', guarantee.outlivesOurKey],
  ['that fails moves nothing, and says why in words and with a code', guarantee.saysWhyItFailed],
  ['of a method that is not there is refused', guarantee.paysNobodyUnknown],
  ['without an answer in time is unknown, never failed, and found where it was done', guarantee.isFoundWhenDone],
  ['without an answer in time is unknown, never failed, and done by the same key where it was not', guarantee.isDoneByTheSameKey],
  ['is found at once by its name, and by its reference when absent is sure', guarantee.isFoundByItsName],
  ['is found under its own reference and with its own amount only', guarantee.isFoundAsItself],
  ['is told by news that is believed only if the provider signed it, just now', guarantee.believesTheSignatureAlone],
  ['whose money comes back is told so, by news that is signed', guarantee.tellsMoneyThatCameBack],
  ['that is pending moves nothing until its end', guarantee.comesToItsEnd],
  ['below the least is refused', guarantee.takesNoLessThanItsLeast],
];

describe.each([
  ['the sandbox', openSandboxSubject],
  ['Stripe', openStripeSubject],
])('%s: a charge', (_name, open) => {
  let subject: Subject;
  beforeAll(async () => void (subject = await open()));
  afterAll(() => subject.close());

  test.each(guarantees)('%s', (_title, expectHeld) => expectHeld(askingFor(subject, 'charge')));
});
