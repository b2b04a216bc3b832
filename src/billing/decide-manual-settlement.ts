import { answeredWithinMs, surelyAbsentAt } from '../money-movement/decide-resume.ts';
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
  if (outcome === 'never_made' && now < surelyAbsentAt(callsOf(charge), provider)) return 'may_still_be_made';
  if (outcome === 'succeeded' && providerId === null) return 'without_its_name';
  return 'go';
}

/** The provider may still answer. */
const isInFlight = ({ calledAt }: ManualSettlementFacts['charge'], now: Date): boolean =>
  calledAt !== null && now.getTime() < calledAt.getTime() + answeredWithinMs;

/** A charge that was never called counts as called when it was created. */
export const callsOf = ({ madeAt, calledAt }: Pick<ManualSettlementFacts['charge'], 'madeAt' | 'calledAt'>) => ({
  keyFrom: madeAt,
  lastCalledAt: calledAt ?? madeAt,
});
