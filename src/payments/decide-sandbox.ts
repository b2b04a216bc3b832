import type { ChargeWarningEvent } from './provider.ts';
import { returnedAfterMs, disputeOpenedAfterMs, eventDelayMs, type SandboxMethod } from './sandbox-methods.ts';
import { apiMessage } from '../messages/api-message.ts';

/** The facts that decide the outcome of a call. */
export type SandboxFacts = {
  /** Null: no sandbox method has this name. */
  readonly word: SandboxMethod | null;
  readonly isBelowLeast: boolean;
  /** A former call with this key was lost. */
  readonly isSentAgain: boolean;
  /** A former charge of the same instrument was declined. */
  readonly wasDeclinedBefore: boolean;
};

export type BookEntry =
  | { readonly status: 'succeeded' | 'pending' }
  | { readonly status: 'declined'; readonly code: string; readonly message: string };

/** `entry` reports the stored outcome, `pending` that the outcome comes later, `money_back` that the money was returned. */
export type PlannedEvent = {
  readonly kind: 'entry' | 'pending' | 'money_back' | ChargeWarningEvent;
  readonly afterMs: number;
  readonly copies: number;
};

/** The movement to store, and the answer to later calls with the same key. */
type Done = { readonly entry: BookEntry; readonly sameKey: 'entry' | 'pending' | 'error' };
/** The call had no effect, so a later call with the same key counts as new. */
type NothingDone = { readonly entry: null; readonly sameKey: 'nothing' };

type Answered = {
  /** `lost`: no answer. `error`: a 500. `pending`: the outcome comes later. */
  readonly answer: 'entry' | 'pending' | 'lost' | 'error';
  readonly events: readonly PlannedEvent[];
  /** The webhook event is delivered before the call is answered. */
  readonly isEventFirst: boolean;
};
export type SandboxPlan = Answered & (Done | NothingDone);

const succeeded: BookEntry = { status: 'succeeded' };
const outcomeEvent: readonly PlannedEvent[] = [{ kind: 'entry', afterMs: eventDelayMs, copies: 1 }];
const plain: Answered & Done = { entry: succeeded, answer: 'entry', sameKey: 'entry', events: outcomeEvent, isEventFirst: false };
const nothingDone: SandboxPlan = { entry: null, answer: 'lost', sameKey: 'nothing', events: [], isEventFirst: false };
const declined = (code: string, message: string): SandboxPlan => ({ ...plain, entry: { status: 'declined', code, message } });
const returnedLater: PlannedEvent = { kind: 'money_back', afterMs: returnedAfterMs, copies: 1 };

const disputeOpened: PlannedEvent = { kind: 'dispute_opened', afterMs: disputeOpenedAfterMs, copies: 1 };

/** Decides the outcome of one call. The rules above the switch apply to every sandbox outcome. */
export function decideSandbox({ word, isBelowLeast, isSentAgain, wasDeclinedBefore }: SandboxFacts): SandboxPlan {
  if (word === null) return declined('no_such_instrument', apiMessage('decide_sandbox.payment_method_does_not_exist'));
  if (isBelowLeast) return declined('amount_too_small', apiMessage('decide_sandbox.amount_below_minimum_charge'));
  switch (word) {
    case 'ok':
      return plain;
    case 'declined':
      return declined('card_declined', apiMessage('decide_sandbox.payment_method_declined'));
    case 'timeout_then_ok':
    case 'timeout_not_done':
      return isSentAgain ? plain : nothingDone;
    case 'error_not_done':
      return isSentAgain ? plain : { ...nothingDone, answer: 'error' };
    case 'timeout_done':
      return { ...plain, answer: 'lost' };
    case 'error_done':
      return { ...plain, answer: 'error', sameKey: 'error' };
    case 'insufficient_then_ok':
      return wasDeclinedBefore ? plain : declined('insufficient_funds', apiMessage('decide_sandbox.account_has_insufficient_funds'));
    case 'returned':
      return { ...plain, events: [...outcomeEvent, returnedLater] };
    case 'disputed':
      return { ...plain, events: [...outcomeEvent, disputeOpened, returnedLater] };
    case 'dispute_won':
      return { ...plain, events: [...outcomeEvent, disputeOpened, { ...returnedLater, kind: 'dispute_won' }] };
    case 'fraud_warning':
      return { ...plain, events: [...outcomeEvent, { ...returnedLater, kind: 'fraud_warning' }] };
    case 'refunded':
      return { ...plain, events: [...outcomeEvent, { ...returnedLater, kind: 'charge_refunded' }] };
    case 'webhook_first':
      return { ...plain, events: [{ kind: 'entry', afterMs: 0, copies: 1 }], isEventFirst: true };
    case 'never':
      return { ...plain, entry: { status: 'pending' }, answer: 'pending', sameKey: 'pending', events: [] };
    case 'five_times':
      return { ...plain, events: [{ kind: 'entry', afterMs: eventDelayMs, copies: 5 }] };
    case 'reordered':
      return { ...plain, answer: 'pending', sameKey: 'pending', events: reversed };
  }
}

/** The final event comes before the pending one. */
const reversed: readonly PlannedEvent[] = [
  { kind: 'entry', afterMs: eventDelayMs, copies: 1 },
  { kind: 'pending', afterMs: 2 * eventDelayMs, copies: 1 },
];
