import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import { money, type Reader } from './explain-text.ts';
import type { BudgetWhy } from './why.ts';

/** A creator does not see the amounts of a budget that is for all creators. */
export function explainBudget(
  { limit, limit_cents: most, used_cents: used, commission_cents: commission }: BudgetWhy,
  reader: Reader,
): string {
  const amounts = { commission: money(commission), most: money(most), used: money(used) };
  switch (limit) {
    case 'program_month':
      return reader === 'creator' ? apiMessage('budget.all_month') : apiMessage('budget.program_month', amounts);
    case 'program_total':
      return reader === 'creator' ? apiMessage('budget.all_total') : apiMessage('budget.program_total', amounts);
    case 'creator_month':
      return apiMessage('budget.creator_month', amounts);
    case 'creator_total':
      return apiMessage('budget.creator_total', amounts);
    default:
      return never(limit);
  }
}
