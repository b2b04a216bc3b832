import type { BudgetWhy } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';
import { amountToJson, cents, minCents, noCents, type Cents } from '../core/money.ts';
import type { Budget } from '../merchants/terms.ts';

type Owner = { readonly programId: Id<'prog'>; readonly creatorId: Id<'crt'> };

/** What was earned of each limit before an order. */
export type BudgetUse = { readonly [Limit in keyof Budget]: Cents };

/** A sum may exceed what JSON can state exactly; it is far above every limit then. */
const mostShown = cents(Number.MAX_SAFE_INTEGER);

/** What programs with a budget have earned. Later orders of a batch see what earlier ones add. */
export type Budgets = {
  readonly usedBy: (owner: Owner, at: Date) => BudgetUse;
  readonly add: (owner: Owner, at: Date, amount: Cents) => void;
};

/** For programs without a budget, or whose budget is unused. */
export const noBudgets: Budgets = {
  usedBy: () => ({ programMonth: noCents, programTotal: noCents, creatorMonth: noCents, creatorTotal: noCents }),
  add: () => {},
};

const limits = [
  ['programMonth', 'program_month'],
  ['programTotal', 'program_total'],
  ['creatorMonth', 'creator_month'],
  ['creatorTotal', 'creator_total'],
] as const satisfies ReadonlyArray<readonly [keyof Budget, BudgetWhy['limit']]>;

/** The first limit that the commission would exceed. Null: it fits. Earning nothing always fits. */
export function decideBudget(budget: Budget | undefined, used: BudgetUse, amount: Cents): BudgetWhy | null {
  if (budget === undefined || amount === noCents) return null;
  for (const [name, limit] of limits) {
    const most = budget[name];
    if (most !== null && used[name] + amount > most)
      return {
        limit,
        limit_cents: amountToJson(most),
        used_cents: amountToJson(minCents(used[name], mostShown)),
        commission_cents: amountToJson(amount),
      };
  }
  return null;
}

/** A limit for all creators that is nearly or wholly used. */
export type BudgetNotice = {
  readonly limit: 'program_month' | 'program_total';
  /** `2026-11`. Empty: the limit has no period. */
  readonly month: string;
  readonly limitCents: Cents;
  readonly percent: 80 | 100;
};

const programLimits = limits.filter(([name]) => name === 'programMonth' || name === 'programTotal');
const nearlyPercent = 80n;

/**
 * The notices for the team after an order: 80 percent of a limit is used, or all of it. A limit that kept an order from earning counts
 * as used, because what is left of it may be less than any commission.
 */
export function budgetNotices(
  budget: Budget | undefined,
  { used, exceeded, at }: { readonly used: BudgetUse; readonly exceeded: BudgetWhy | null; readonly at: Date },
): readonly BudgetNotice[] {
  if (budget === undefined) return [];
  return programLimits.flatMap(([name, limit]): readonly BudgetNotice[] => {
    const most = budget[name];
    if (most === null || (limit !== 'program_month' && limit !== 'program_total')) return [];
    const notice = { limit, month: limit === 'program_month' ? at.toISOString().slice(0, 7) : '', limitCents: most };
    if (exceeded?.limit === limit || used[name] >= most) return [{ ...notice, percent: 100 }];
    return used[name] * 100n >= most * nearlyPercent ? [{ ...notice, percent: 80 }] : [];
  });
}
