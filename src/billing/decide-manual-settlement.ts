import { minuteMs } from '../core/time.ts';
import type { ChargeProvider } from '../payments/provider.ts';
import type { ChargeState } from './charge-states.ts';

export const manualOutcomes = ['succeeded', 'declined', 'never_made'] as const;
export type ManualOutcome = (typeof manualOutcomes)[number];

export type ManualSettlementFacts = {
  readonly now: Date;
  readonly charge: { readonly state: ChargeState; readonly madeAt: Date; readonly calledAt: Date | null };
  readonly outcome: ManualOutcome;
  readonly providerId: string | null;
  /** Null: the provider is not configured, so nothing is sent to it. */
  readonly provider: Pick<ChargeProvider, 'keyLifeMs' | 'absentIsSureAfterMs'> | null;
};

export type ManualSettlementDecision = 'go' | 'not_open' | 'in_flight' | 'accepted' | 'may_still_be_made' | 'without_its_name';

/** Whether an operator may settle a charge with an unknown outcome, with what the provider's list shows. */
export function decideManualSettlement({ now, charge, outcome, providerId, provider }: ManualSettlementFacts): ManualSettlementDecision {
  const { state } = charge;
  if (state !== 'unknown' && state !== 'sending' && state !== 'pending') return 'not_open';
  if (state === 'sending' && isInFlight(charge, now)) return 'in_flight';
  if (state === 'pending' && outcome === 'never_made') return 'accepted';
  if (outcome === 'never_made' && now < surelyNeverMadeAt(charge, provider)) return 'may_still_be_made';
  if (outcome === 'succeeded' && providerId === null) return 'without_its_name';
  return 'go';
}

/** The provider may still answer. */
const answeredWithinMs = minuteMs;
const isInFlight = ({ calledAt }: ManualSettlementFacts['charge'], now: Date): boolean =>
  calledAt !== null && now.getTime() < calledAt.getTime() + answeredWithinMs;

/**
 * The time after which a charge that the provider does not list was certainly never made. The key may be sent again until the
 * provider forgets it, and the last call needs time to arrive. If a person said so earlier, the invoice could be charged twice.
 */
export function surelyNeverMadeAt(
  { madeAt, calledAt }: Pick<ManualSettlementFacts['charge'], 'madeAt' | 'calledAt'>,
  provider: ManualSettlementFacts['provider'],
): Date {
  const called = calledAt ?? madeAt;
  if (provider === null) return new Date(called.getTime() + answeredWithinMs);
  return new Date(Math.max(madeAt.getTime() + provider.keyLifeMs, called.getTime() + provider.absentIsSureAfterMs));
}
