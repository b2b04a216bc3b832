import type { AgreementDecision } from '../people/decide-agreement.ts';
import { cents, type Cents } from '../platform/money.ts';

/** Above which a second person confirms a payout in live mode, where nobody set another limit. */
export const liveLimit = cents(100_000);

type KeptLimit = { readonly secondPersonAboveCents: Cents | null; readonly hasNoLimit: boolean };

/** The limit in force: what was set, else the default of the mode. The sandbox has none, so that one person can walk through it. */
export function limitInForce({ secondPersonAboveCents, hasNoLimit }: KeptLimit, mode: 'sandbox' | 'live'): Cents | null {
  if (secondPersonAboveCents !== null) return secondPersonAboveCents;
  return mode === 'live' && !hasNoLimit ? liveLimit : null;
}

export type LimitFacts = {
  /** Above which a second person confirms a payout today; null: never. */
  readonly current: Cents | null;
  readonly wanted: Cents | null;
  /** What somebody asked for before. Null: nobody did. */
  readonly asked: { readonly above: Cents | null } | null;
  /** Whether the person who asks now and the one who asked before may agree. */
  readonly agreement: AgreementDecision;
  readonly operators: number;
};

export type LimitDecision = 'keep' | 'alone' | 'set' | 'ask' | Exclude<AgreementDecision, 'go' | 'ask'>;

/**
 * One person alone makes it stricter, where there is somebody else who could confirm: a sole operator would lock all larger payouts,
 * and could not loosen the limit again. Who makes it looser alone could pay themselves alone: another person has to ask for the same.
 */
export function decideLimit({ current, wanted, asked, agreement, operators }: LimitFacts): LimitDecision {
  if (wanted === current) return 'keep';
  if (wanted !== null && (current === null || wanted < current)) return operators < 2 ? 'alone' : 'set';
  if (asked === null || asked.above !== wanted) return 'ask';
  return agreement === 'go' ? 'set' : agreement;
}
