import { minuteMs } from '../platform/time.ts';
import type { ChargeProvider } from '../providers/provider.ts';
import type { ChargeState } from './decide-charge.ts';

export const handOutcomes = ['succeeded', 'declined', 'never_made'] as const;
export type HandOutcome = (typeof handOutcomes)[number];

export type HandFacts = {
  readonly now: Date;
  readonly charge: { readonly state: ChargeState; readonly madeAt: Date; readonly calledAt: Date | null };
  readonly outcome: HandOutcome;
  readonly providerId: string | null;
  /** Null where it is not set up here, so that nothing is sent to it. */
  readonly provider: Pick<ChargeProvider, 'keyLifeMs' | 'absentIsSureAfterMs'> | null;
};

export type HandDecision = 'go' | 'not_open' | 'in_flight' | 'accepted' | 'may_still_be_made' | 'without_its_name';

/** What a person may say of a charge whose end nobody knows, as they read it in the provider's own list. */
export function decideByHand({ now, charge, outcome, providerId, provider }: HandFacts): HandDecision {
  const { state } = charge;
  if (state !== 'unknown' && state !== 'sending' && state !== 'pending') return 'not_open';
  if (state === 'sending' && isInFlight(charge, now)) return 'in_flight';
  if (state === 'pending' && outcome === 'never_made') return 'accepted';
  if (outcome === 'never_made' && now < surelyNeverMadeAt(charge, provider)) return 'may_still_be_made';
  if (outcome === 'succeeded' && providerId === null) return 'without_its_name';
  return 'go';
}

/** Its answer may still come. */
const answeredWithinMs = minuteMs;
const isInFlight = ({ calledAt }: HandFacts['charge'], now: Date): boolean =>
  calledAt !== null && now.getTime() < calledAt.getTime() + answeredWithinMs;

/**
 * From when on a list without it proves that it was never made: the same key is sent again until the provider may have forgotten
 * it, and the last call must have had its time. Earlier the charge may still be made after a person said that there is none, and
 * the invoice is charged once more: twice.
 */
export function surelyNeverMadeAt(
  { madeAt, calledAt }: Pick<HandFacts['charge'], 'madeAt' | 'calledAt'>,
  provider: HandFacts['provider'],
): Date {
  const called = calledAt ?? madeAt;
  if (provider === null) return new Date(called.getTime() + answeredWithinMs);
  return new Date(Math.max(madeAt.getTime() + provider.keyLifeMs, called.getTime() + provider.absentIsSureAfterMs));
}
