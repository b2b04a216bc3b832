import { hourMs, minuteMs, secondMs } from '../core/time.ts';

/**
 * The outcomes of sandbox methods: those of the API, and others for tests. An instrument is an outcome with an optional suffix
 * (`insufficient_then_ok#pm_…`), so that setting the same outcome again restarts its script.
 */
const sandboxMethods = [
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

export type SandboxMethod = (typeof sandboxMethods)[number];

export type SandboxKind = 'charge' | 'payout';

const chargeMethods: readonly SandboxMethod[] = ['disputed', 'dispute_won', 'fraud_warning', 'refunded'];

/** Only charges can be disputed or refunded, and only payouts can be returned. */
export function sandboxMethodOf(instrument: string, kind: SandboxKind): SandboxMethod | null {
  const word = sandboxMethods.find((one) => one === instrument.split('#')[0]);
  if (word !== undefined && chargeMethods.includes(word) && kind === 'payout') return null;
  if (word === 'returned' && kind === 'charge') return null;
  return word ?? null;
}

/** All in business time, because the sandbox clock also applies to its provider. */
export const eventDelayMs = 2 * secondMs;

export const searchLagMs = 5 * secondMs;

/** Long enough that the payment is first shown as paid, and short enough to wait for. */
export const returnedAfterMs = minuteMs;

/** A dispute opens before it is decided. */
export const disputeOpenedAfterMs = minuteMs / 2;

/** Like the real providers: a key expires after a day, and a later call with it moves money again. */
export const keysForgottenAfterMs = 24 * hourMs;
