import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Speech } from './speech.ts';
import type { BudgetWhy } from './why.ts';

/** A creator does not see the amounts of a budget that is for all creators. */
export function explainBudget(
  { limit, limit_cents: most, used_cents: used, commission_cents: commission }: BudgetWhy,
  { reader, say, money }: Speech,
): string {
  const amounts = { commission: money(commission), most: money(most), used: money(used) };
  switch (limit) {
    case 'program_month':
      return reader === 'creator' ? say('budget.all_month') : apiMessage('budget.program_month', amounts);
    case 'program_total':
      return reader === 'creator' ? say('budget.all_total') : apiMessage('budget.program_total', amounts);
    case 'creator_month':
      return say('budget.creator_month', amounts);
    case 'creator_total':
      return say('budget.creator_total', amounts);
    default:
      return never(limit);
  }
}
