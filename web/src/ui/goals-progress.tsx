import type { GoalProgress } from '../../../sdk/src/api-schema.ts';
import { formatUsd } from './format.ts';
import { t } from './messages.ts';

/** How far a creator is to each goal of a program. */
export const GoalsProgress = ({ goals }: { readonly goals: readonly GoalProgress[] }) => (
  <section>
    <h3>{t.goals_progress.title}</h3>
    <ul>
      {goals.map(({ orders, period, amount_cents: cents, figure }) => (
        <li key={`${period} ${orders}`}>
          {t.goals_progress.progress({ figure: Math.min(figure, orders), orders, period, amount: formatUsd(cents) })}
        </li>
      ))}
    </ul>
    <p>{t.goals_progress.once}</p>
  </section>
);
