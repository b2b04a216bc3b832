import { cents, type Cents } from '../core/money.ts';
import type { FieldError } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Budget } from './terms.ts';

const limits = ['program_month_cents', 'program_total_cents', 'creator_month_cents', 'creator_total_cents'] as const;

/** A budget as requested or stored; an absent limit is none. */
export type BudgetDraft = { readonly [Limit in (typeof limits)[number]]?: number | null | undefined };

const limitMax = 1_000_000_000_000;

export const errorsOfBudget = (draft: BudgetDraft): readonly FieldError[] =>
  limits.flatMap((limit) => {
    const amount = draft[limit] ?? null;
    if (amount === null || (amount >= 0 && amount <= limitMax)) return [];
    return [{ field: `budget.${limit}`, message: apiMessage('decide_terms.must_whole_number_from', { least: 0, most: limitMax }) }];
  });

/** Undefined: no limit at all. */
export function budgetOf(draft: BudgetDraft): Budget | undefined {
  const amount = (limit: (typeof limits)[number]): Cents | null => (typeof draft[limit] === 'number' ? cents(draft[limit]) : null);
  const budget: Budget = {
    programMonth: amount('program_month_cents'),
    programTotal: amount('program_total_cents'),
    creatorMonth: amount('creator_month_cents'),
    creatorTotal: amount('creator_total_cents'),
  };
  return Object.values(budget).every((limit) => limit === null) ? undefined : budget;
}
