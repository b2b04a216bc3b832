import type { ChargeWarningNews } from './provider.ts';
import { comesBackAfterMs, disputeOpenedAfterMs, newsDelayMs, type SandboxWord } from './sandbox-words.ts';

/** What the sandbox remembers when it decides how a call ends. */
export type SandboxFacts = {
  /** Null: no method of the sandbox has this name. */
  readonly word: SandboxWord | null;
  readonly isBelowLeast: boolean;
  /** This key was sent before, and that call was lost on its way. */
  readonly isSentAgain: boolean;
  /** A charge of this very instrument was declined before. */
  readonly wasDeclinedBefore: boolean;
};

export type BookEntry =
  | { readonly status: 'succeeded' | 'pending' }
  | { readonly status: 'declined'; readonly code: string; readonly message: string };

/** `entry` tells what stands in the book, `pending` that the end comes later, `money_back` that money which was there goes again. */
export type PlannedNews = {
  readonly tells: 'entry' | 'pending' | 'money_back' | ChargeWarningNews;
  readonly afterMs: number;
  readonly copies: number;
};

/** What is written into the provider's book, and what the same key is answered from then on. */
type Done = { readonly entry: BookEntry; readonly sameKey: 'entry' | 'pending' | 'error' };
/** The call did nothing: the same key is carried out as if it had never been sent. */
type NothingDone = { readonly entry: null; readonly sameKey: 'nothing' };

type Answered = {
  /** `lost`: the caller hears nothing. `error`: it hears a 500. `pending`: it hears that the end comes later. */
  readonly answer: 'entry' | 'pending' | 'lost' | 'error';
  readonly news: readonly PlannedNews[];
  /** The news is delivered before the call is answered. */
  readonly isNewsFirst: boolean;
};
export type SandboxPlan = Answered & (Done | NothingDone);

const succeeded: BookEntry = { status: 'succeeded' };
const told: readonly PlannedNews[] = [{ tells: 'entry', afterMs: newsDelayMs, copies: 1 }];
const plain: Answered & Done = { entry: succeeded, answer: 'entry', sameKey: 'entry', news: told, isNewsFirst: false };
const nothingDone: SandboxPlan = { entry: null, answer: 'lost', sameKey: 'nothing', news: [], isNewsFirst: false };
const declined = (code: string, message: string): SandboxPlan => ({ ...plain, entry: { status: 'declined', code, message } });
const comesBack: PlannedNews = { tells: 'money_back', afterMs: comesBackAfterMs, copies: 1 };

const disputeOpened: PlannedNews = { tells: 'dispute_opened', afterMs: disputeOpenedAfterMs, copies: 1 };

/** How the sandbox's script ends one call. Rungs above the switch hold for every word. */
export function decideSandbox({ word, isBelowLeast, isSentAgain, wasDeclinedBefore }: SandboxFacts): SandboxPlan {
  if (word === null) return declined('no_such_instrument', 'The sandbox has no such payment method.');
  if (isBelowLeast) return declined('amount_too_small', 'The amount is below the smallest that is charged.');
  switch (word) {
    case 'ok':
      return plain;
    case 'declined':
      return declined('card_declined', 'The payment method was declined.');
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
      return wasDeclinedBefore ? plain : declined('insufficient_funds', 'There is not enough money on the account.');
    case 'returned':
      return { ...plain, news: [...told, comesBack] };
    case 'disputed':
      return { ...plain, news: [...told, disputeOpened, comesBack] };
    case 'dispute_won':
      return { ...plain, news: [...told, disputeOpened, { ...comesBack, tells: 'dispute_won' }] };
    case 'fraud_warning':
      return { ...plain, news: [...told, { ...comesBack, tells: 'fraud_warning' }] };
    case 'refunded':
      return { ...plain, news: [...told, { ...comesBack, tells: 'charge_refunded' }] };
    case 'webhook_first':
      return { ...plain, news: [{ tells: 'entry', afterMs: 0, copies: 1 }], isNewsFirst: true };
    case 'never':
      return { ...plain, entry: { status: 'pending' }, answer: 'pending', sameKey: 'pending', news: [] };
    case 'five_times':
      return { ...plain, news: [{ tells: 'entry', afterMs: newsDelayMs, copies: 5 }] };
    case 'reordered':
      return { ...plain, answer: 'pending', sameKey: 'pending', news: reversed };
  }
}

/** The end is told first, and the beginning after it. */
const reversed: readonly PlannedNews[] = [
  { tells: 'entry', afterMs: newsDelayMs, copies: 1 },
  { tells: 'pending', afterMs: 2 * newsDelayMs, copies: 1 },
];
