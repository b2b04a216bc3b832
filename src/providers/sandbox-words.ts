import { hourMs, minuteMs, secondMs } from '../platform/time.ts';

/**
 * How a saved method of the sandbox behaves: the words of the API, and further ones for tests. An instrument is a word, or a
 * word and what it belongs to (`insufficient_then_ok#pm_…`): the same word set again then begins anew.
 */
const words = [
  'ok',
  'declined',
  'timeout_then_ok',
  'insufficient_then_ok',
  'returned',
  'disputed',
  'dispute_won',
  'fraud_warning',
  'refunded',
  'error_done',
  'error_not_done',
  'timeout_done',
  'timeout_not_done',
  'webhook_first',
  'never',
  'five_times',
  'reordered',
] as const;
export type SandboxWord = (typeof words)[number];
export type SandboxKind = 'charge' | 'payout';

const chargeWords: readonly SandboxWord[] = ['disputed', 'dispute_won', 'fraud_warning', 'refunded'];

/** Only a charge can be disputed or refunded, and only a payout comes back. */
export function wordOf(instrument: string, kind: SandboxKind): SandboxWord | null {
  const word = words.find((one) => one === instrument.split('#')[0]);
  if (word !== undefined && chargeWords.includes(word) && kind === 'payout') return null;
  if (word === 'returned' && kind === 'charge') return null;
  return word ?? null;
}

/** All in business time: the sandbox's clock moves its provider too. */
export const newsDelayMs = 2 * secondMs;
export const searchLagMs = 5 * secondMs;
/** Soon enough that who watches sees it, and late enough that it was seen as paid before. */
export const comesBackAfterMs = minuteMs;
/** A dispute is opened before it is decided. */
export const disputeOpenedAfterMs = minuteMs / 2;
/** As the providers with real money do it: after a day a key is new again, and whoever sends it once more charges twice. */
export const keysForgottenAfterMs = 24 * hourMs;
