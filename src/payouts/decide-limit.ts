import type { Cents } from '../platform/money.ts';

type Person = { readonly by: string; readonly byUserId: string | null };

export type LimitAsked = {
  /** Above which a second person confirms a payout today; null: never. */
  readonly current: Cents | null;
  readonly wanted: Cents | null;
  /** What somebody asked for before, and who. Null: nobody did. */
  readonly asked: (Person & { readonly above: Cents | null }) | null;
} & Person;

export type LimitDecision = 'keep' | 'set' | 'ask' | 'no_person';

/**
 * One person alone makes it stricter. Who makes it looser alone could pay themselves alone: another person has to ask for the very
 * same. Not one who asks twice, nor a key of theirs; and a key that nobody stands behind may ask, and agrees to nothing.
 */
export function decideLimit({ current, wanted, asked, by, byUserId }: LimitAsked): LimitDecision {
  if (wanted === current) return 'keep';
  if (wanted !== null && (current === null || wanted < current)) return 'set';
  if (asked === null || asked.above !== wanted) return 'ask';
  if (by === asked.by) return 'ask';
  if (byUserId === null) return 'no_person';
  if (byUserId === asked.byUserId) return 'ask';
  return 'set';
}
