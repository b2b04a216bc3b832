import { plusDays } from '../core/time.ts';
import type { CaseState, Evidence, RiskRule } from './risk-case.ts';
import { quietDays } from './decide-signals.ts';

export type RepeatFindingFacts = {
  readonly rule: RiskRule;
  readonly evidence: readonly Evidence[];
  /** The latest case of the rule about the same subject. Null: none. */
  readonly before: { readonly state: CaseState; readonly evidence: readonly Evidence[]; readonly closedAt: Date | null } | null;
  readonly now: Date;
};

/**
 * Decides what to do with a finding that may repeat. A release remains in force: matching people are reported again only with a new
 * shared trait, and a signal only with other values, some weeks later.
 */
export function decideRepeatFinding({ rule, evidence, before, now }: RepeatFindingFacts): 'open' | 'add_evidence' | 'nothing' {
  if (before === null) return 'open';
  const isSame = rule === 'same_person' ? isIn(evidence, before.evidence) : isEqual(evidence, before.evidence);
  if (before.state !== 'released') return isSame ? 'nothing' : 'add_evidence';
  if (isSame) return 'nothing';
  if (rule === 'same_person') return 'open';
  return before.closedAt !== null && now >= plusDays(before.closedAt, quietDays) ? 'open' : 'nothing';
}

const isIn = (found: readonly Evidence[], known: readonly Evidence[]): boolean =>
  found.every(({ what }) => known.some((one) => one.what === what));

const isEqual = (found: readonly Evidence[], known: readonly Evidence[]): boolean =>
  found.length === known.length &&
  found.every((one) => known.some((other) => other.what === one.what && other.found === one.found && other.compared === one.compared));
