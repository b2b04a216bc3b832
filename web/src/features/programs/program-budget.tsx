import { useQuery } from '@tanstack/react-query';
import { apiPath } from '../../api/operations.ts';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { formatUsd } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { Stat, Stats } from '../../ui/stats.tsx';
import { budgetTexts } from './terms-budget.tsx';
import { t } from './messages.ts';

/** What was earned of the budget of a program. Nothing is shown without one. */
export function ProgramBudget({ store, program }: { readonly store: string; readonly program: string }) {
  const { data } = useQuery(apiQuery(apiPath('/stores/{store}/programs/{program}/budget', { store, program })));
  if (data === undefined || data.budget === null) return null;
  const { program_month_cents: month, program_total_cents: total } = data.budget;
  const detail = (limit: Cents | null): string =>
    limit === null ? t.program_budget.no_limit : t.program_budget.of_limit({ limit: formatUsd(limit) });
  return (
    <Section title={t.program_budget.title} intro={t.program_budget.intro}>
      <Stats label={t.program_budget.title} inside>
        <Stat name={t.program_budget.this_month} value={formatUsd(data.program_month_used_cents)} detail={detail(month)} />
        <Stat name={t.program_budget.in_all} value={formatUsd(data.program_total_used_cents)} detail={detail(total)} />
      </Stats>
      <ul>
        {budgetTexts(data.budget).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Section>
  );
}
