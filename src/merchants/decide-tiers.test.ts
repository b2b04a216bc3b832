import { expect, test } from 'vitest';
import { errorsOfTiers, type TiersDraft } from './decide-tiers.ts';

type Draft = TiersDraft<readonly string[], readonly string[]>;
const tier = (threshold: number, orderRules: readonly string[] = ['rule'], subscriptionRules: readonly string[] = []) => ({
  threshold,
  orderRules,
  subscriptionRules,
});
const draft: Draft = { measure: 'approved_commissions', period: 'month', timeZone: 'UTC', tiers: [tier(10), tier(40)] };

// Earlier rules win: each row also violates the rules of the rows below it.
test.each<[what: string, error: string, tiers: Draft['tiers']]>([
  ['a tier that is reached with nothing', '0.threshold must be a whole number from 1 to', [tier(0, [])]],
  ['a threshold that no creator reaches', '1.threshold must be a whole number', [tier(2_000_000), tier(1_000_000_000_001, [])]],
  ['a tier below the one before it', '1.threshold must be', [tier(40), tier(10, [])]],
  ['a tier as high as the one before it', '1.threshold must be', [tier(40), tier(40, [])]],
  ['a tier without rules', '1.order_rules', [tier(10), tier(40, [])]],
])('rejects %s', (_what, error, tiers) => {
  const found = errorsOfTiers({ ...draft, tiers }).map(({ field, message }) => `${field} ${message}`);
  expect(found).toEqual([expect.stringMatching(`^tiers\\.tiers\\.${error}`)]);
});

test('rejects an unknown time zone beside the errors of tiers, and a list without tiers', () => {
  const fields = (changed: Partial<Draft>) => errorsOfTiers({ ...draft, ...changed }).map(({ field }) => field);
  expect(fields({ timeZone: 'Europe/Atlantis', tiers: [tier(0)] })).toEqual(['tiers.time_zone', 'tiers.tiers.0.threshold']);
  expect(fields({ timeZone: 'Europe/Atlantis', tiers: [] })).toEqual(['tiers.time_zone', 'tiers.tiers']);
});

test('accepts ascending tiers with rules of either kind', () => {
  expect(errorsOfTiers({ ...draft, timeZone: 'Europe/Berlin', tiers: [tier(1, [], ['rule']), tier(2), tier(1_000_000_000_000)] })).toEqual(
    [],
  );
});
