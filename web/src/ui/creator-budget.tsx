import type { CreatorBudget as Budget } from '../../../sdk/src/api-schema.ts';
import { formatUsd } from './format.ts';
import { t } from './messages.ts';

/** What a creator has earned of the limits for one creator. */
export const CreatorBudget = ({ budget }: { readonly budget: Budget }) => (
  <section>
    <h3>{t.creator_budget.title}</h3>
    <ul>
      {budget.creator_month_cents !== null && (
        <li>{t.creator_budget.month({ used: formatUsd(budget.month_used_cents), most: formatUsd(budget.creator_month_cents) })}</li>
      )}
      {budget.creator_total_cents !== null && (
        <li>{t.creator_budget.total({ used: formatUsd(budget.total_used_cents), most: formatUsd(budget.creator_total_cents) })}</li>
      )}
    </ul>
    <p>{t.creator_budget.earns_nothing}</p>
  </section>
);
