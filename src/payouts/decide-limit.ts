import type { AgreementDecision } from '../people/decide-agreement.ts';
import { cents, type Cents } from '../core/money.ts';

/** Default amount in live mode above which a second person confirms a payout. */
export const liveLimit = cents(100_000);

type StoredLimit = { readonly secondPersonAboveCents: Cents | null; readonly hasNoLimit: boolean };

/** The limit in force: what was set, else the default of the mode. The sandbox has none, so that one person can walk through it. */
export function limitInForce({ secondPersonAboveCents, hasNoLimit }: StoredLimit, mode: 'sandbox' | 'live'): Cents | null {
  if (secondPersonAboveCents !== null) return secondPersonAboveCents;
  return mode === 'live' && !hasNoLimit ? liveLimit : null;
}

export type LimitFacts = {
  /** Above which a second person confirms a payout today; null: never. */
  readonly current: Cents | null;
  readonly wanted: Cents | null;
  /** The pending request. Null: none. */
  readonly requested: { readonly above: Cents | null } | null;
  /** Whether the two requests come from two different persons. */
  readonly agreement: AgreementDecision;
  readonly operators: number;
};

export type LimitDecision = 'keep' | 'alone' | 'set' | 'ask' | Exclude<AgreementDecision, 'go' | 'ask'>;

/**
 * One person may lower the limit if another operator exists who could confirm: a sole operator would block all larger payouts and could
 * not raise the limit again. Raising it takes two persons, because one alone could otherwise pay themselves.
 */
export function decideLimit({ current, wanted, requested, agreement, operators }: LimitFacts): LimitDecision {
  if (wanted === current) return 'keep';
  if (wanted !== null && (current === null || wanted < current)) return operators < 2 ? 'alone' : 'set';
  if (requested === null || requested.above !== wanted) return 'ask';
  return agreement === 'go' ? 'set' : agreement;
}
