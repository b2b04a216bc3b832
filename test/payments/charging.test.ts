import { afterAll, beforeAll, describe, test } from 'vitest';
import * as guarantee from './guarantees.ts';
import { openSandboxSubject } from './subject-sandbox.ts';
import { openStripeSubject } from './subject-stripe.ts';
import { askingFor, type Subject } from './subject.ts';

/** The guarantees of every charge provider. */
const guarantees: ReadonlyArray<readonly [title: string, holds: guarantee.Guarantee]> = [
  ['moves its amount once when it is requested again, in sequence or ten times in parallel', guarantee.movesOnce],
  ['moves its amount once for ten parallel first requests, none of which reports a failure', guarantee.movesOnceForTen],
  ['rejects a repeated request with different content and moves nothing more', guarantee.refusesOtherContent],
  ['moves its exact amount from the given method', guarantee.movesToTheCent],
  ['is not repeated while we may still send its key', guarantee.outlivesOurKey],
  ['moves nothing when it fails, and reports a code and a message', guarantee.saysWhyItFailed],
  ['is declined for an unknown method', guarantee.paysNoUnknownMethod],
  ['is unknown, not failed, without an answer in time, and is found later if it succeeded', guarantee.isFoundWhenDone],
  ['is unknown, not failed, without an answer in time, and succeeds with the same key if it was not made', guarantee.isDoneByTheSameKey],
  ['is found by its provider ID immediately, and by its reference once "absent" is reliable', guarantee.isFoundByItsName],
  ['is found only by its own reference and with its own amount', guarantee.isFoundAsItself],
  ['accepts webhook events only with a recent signature of the provider', guarantee.believesTheSignatureAlone],
  ['reports returned money in a signed webhook event', guarantee.reportsReturnedMoney],
  ['moves nothing while it is pending', guarantee.comesToItsEnd],
  ['is declined below the minimum amount', guarantee.takesNoLessThanItsLeast],
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
