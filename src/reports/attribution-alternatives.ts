import type { AttributionWhy } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';

/** The setting under which the other creator of an order would have earned. */
export const alternatives = ['code_before_click', 'click_before_code', 'first_partner', 'last_click'] as const;
export type Alternative = (typeof alternatives)[number];

type Rule = AttributionWhy['rule'];
type By = AttributionWhy['attributed_by'];

/** Null: no setting of the terms would have changed the order. */
export function alternativeOf(rule: Rule, comparedBy: By): Alternative | null {
  if (rule === 'first_partner') return 'last_click';
  if (comparedBy === 'customer') return 'first_partner';
  if (rule === 'click' && comparedBy === 'code') return 'code_before_click';
  return rule === 'code_before_click' && comparedBy === 'click' ? 'click_before_code' : null;
}

/** The compared orders of one winner and one other creator. */
export type ComparedOrders = {
  readonly rule: Rule;
  readonly comparedBy: By;
  readonly creatorId: Id<'crt'>;
  readonly otherId: Id<'crt'>;
  readonly orders: bigint;
  readonly earnedCents: bigint;
  readonly otherCents: bigint;
};

export type CreatorDifference = {
  readonly creatorId: Id<'crt'>;
  readonly alternative: Alternative;
  readonly ordersLost: bigint;
  readonly ordersGained: bigint;
  readonly lostCents: bigint;
  readonly gainedCents: bigint;
};

/** What each creator would lose and gain under each alternative; the largest difference first. */
export function differencesOf(compared: readonly ComparedOrders[]): readonly CreatorDifference[] {
  const sums = new Map<string, CreatorDifference>();
  const add = (creatorId: Id<'crt'>, alternative: Alternative, part: Partial<CreatorDifference>) => {
    const now = sums.get(`${creatorId} ${alternative}`);
    sums.set(`${creatorId} ${alternative}`, {
      creatorId,
      alternative,
      ordersLost: (now?.ordersLost ?? 0n) + (part.ordersLost ?? 0n),
      ordersGained: (now?.ordersGained ?? 0n) + (part.ordersGained ?? 0n),
      lostCents: (now?.lostCents ?? 0n) + (part.lostCents ?? 0n),
      gainedCents: (now?.gainedCents ?? 0n) + (part.gainedCents ?? 0n),
    });
  };
  for (const { rule, comparedBy, creatorId, otherId, orders, earnedCents, otherCents } of compared) {
    const alternative = alternativeOf(rule, comparedBy);
    if (alternative === null) continue;
    add(creatorId, alternative, { ordersLost: orders, lostCents: earnedCents });
    add(otherId, alternative, { ordersGained: orders, gainedCents: otherCents });
  }
  return [...sums.values()].toSorted((one, other) => compareSizes(one, other) || one.creatorId.localeCompare(other.creatorId));
}

const sizeOf = ({ lostCents, gainedCents }: CreatorDifference): bigint =>
  lostCents > gainedCents ? lostCents - gainedCents : gainedCents - lostCents;

const compareSizes = (one: CreatorDifference, other: CreatorDifference): number =>
  Number(sizeOf(other) > sizeOf(one)) - Number(sizeOf(other) < sizeOf(one));
