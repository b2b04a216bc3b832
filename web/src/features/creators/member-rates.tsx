import { Button } from '../../ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPath } from '../../api/operations.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CreatorBudget } from '../../ui/creator-budget.tsx';
import { GoalsProgress } from '../../ui/goals-progress.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { orderRuleTexts, subscriptionRuleText } from '../../ui/program-terms.ts';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { TierProgress } from '../../ui/tier-progress.tsx';
import { t } from './messages.ts';

type MemberRatesProps = { readonly store: string; readonly program: string; readonly member: string };

/** Opens what a creator earns in a program now, and their tier. */
export function MemberRatesButton({ name, ...of }: MemberRatesProps & { readonly name: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={`${t.member_rates.view_rates}: ${name}`} onClick={() => setOpened(true)}>
        {t.member_rates.view_rates}
      </Button>
      <Dialog title={t.member_rates.rates_in({ name })} opened={opened} onClose={() => setOpened(false)}>
        <MemberRates {...of} />
      </Dialog>
    </>
  );
}

const levelTitles = {
  member: t.member_rates.level_member,
  group: t.member_rates.level_group,
  tier: t.member_rates.level_tier,
  program: t.member_rates.level_program,
} as const;

function MemberRates({ store, program, member }: MemberRatesProps) {
  const found = useQuery(apiQuery(apiPath('/stores/{store}/programs/{program}/members/{member}/rates', { store, program, member })));
  if (found.isPending) return <LoadingSkeleton />;
  if (found.isError) return <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />;
  const { rates, pays, tiers, budget, goals } = found.data;
  return (
    <>
      {tiers !== null && <TierProgress tiers={tiers} pays={pays} />}
      {goals !== undefined && <GoalsProgress goals={goals} />}
      {budget !== null && <CreatorBudget budget={budget} />}
      {rates.map(({ level, order_rules: orders, subscription_rules: subscriptions }) => (
        <section key={level}>
          <h3>{levelTitles[level]}</h3>
          <ul>
            {[...orderRuleTexts(orders, { pays }), ...subscriptions.map(subscriptionRuleText)].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
