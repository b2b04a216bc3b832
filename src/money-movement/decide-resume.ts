import { minuteMs } from '../core/time.ts';
import type { LookedUp, PayoutProvider } from '../payments/provider.ts';

/** A provider may still answer a call that was made less than this ago. */
export const answeredWithinMs = minuteMs;

/** In what the two protocols differ when an unfinished charge or payout is resumed. */
export type ResumeRules = {
  /** How long the last call is left alone before it is looked up. */
  readonly lookUpDelayMs: number;
  /** Whether the same key is sent again also if the look-up was not answered. */
  readonly isSentAgainUnanswered: boolean;
};

/** The idempotency key alone prevents a second charge, so nothing is waited for. */
export const chargeRules: ResumeRules = { lookUpDelayMs: 0, isSentAgainUnanswered: true };

/** The key prevents a second payout too; a payout waits nevertheless until the provider says that it is absent. */
export const payoutRules: ResumeRules = { lookUpDelayMs: answeredWithinMs, isSentAgainUnanswered: false };

/** The calls of a charge or payout so far. */
export type Calls = {
  /** The life of the idempotency key counts from here. */
  readonly keyFrom: Date;
  readonly lastCalledAt: Date;
  /** The provider accepted it before, so its absence is no evidence. */
  readonly isAccepted: boolean;
};
type KeyOf = Pick<PayoutProvider, 'keyLifeMs' | 'absentIsSureAfterMs'>;

/** False: the process that made the last call may still be waiting for the answer. */
export const mayBeLookedUp = ({ lookUpDelayMs }: ResumeRules, { lastCalledAt }: Calls, now: Date): boolean =>
  now.getTime() >= lastCalledAt.getTime() + lookUpDelayMs;

/** `missing`: the provider accepted it and does not find it now. `never_arrived`: it is certain that the provider never had it. */
export type ResumeDecision = 'settle' | 'wait' | 'missing' | 'send_again' | 'never_arrived';

/** Decides how to resume a charge or payout after a look-up. The same key is sent as long as the provider certainly remembers it. */
export function decideResume(
  rules: ResumeRules,
  { calls, provider, found, now }: { readonly calls: Calls; readonly provider: KeyOf; readonly found: LookedUp['is']; readonly now: Date },
): ResumeDecision {
  if (found !== 'absent' && found !== 'unknown') return 'settle';
  // An unanswered look-up is no evidence.
  if (found === 'unknown' && !rules.isSentAgainUnanswered) return 'wait';
  if (calls.isAccepted) return found === 'absent' ? 'missing' : 'wait';
  if (now.getTime() < calls.keyFrom.getTime() + provider.keyLifeMs) return 'send_again';
  const isSure = now.getTime() >= calls.lastCalledAt.getTime() + provider.absentIsSureAfterMs;
  return found === 'absent' && isSure ? 'never_arrived' : 'wait';
}

/**
 * The time after which a charge or payout that the provider does not list certainly never arrived. The key may be sent again until the
 * provider forgets it, and the last call needs time to arrive: if a person said so earlier, the money could move twice. Null: the provider
 * is not configured, so nothing is sent to it.
 */
export function surelyAbsentAt({ keyFrom, lastCalledAt }: Pick<Calls, 'keyFrom' | 'lastCalledAt'>, provider: KeyOf | null): Date {
  if (provider === null) return new Date(lastCalledAt.getTime() + answeredWithinMs);
  return new Date(Math.max(keyFrom.getTime() + provider.keyLifeMs, lastCalledAt.getTime() + provider.absentIsSureAfterMs));
}
