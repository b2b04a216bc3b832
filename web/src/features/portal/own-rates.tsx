import { Button } from '../../ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Membership } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CreatorBudget } from '../../ui/creator-budget.tsx';
import { GoalsProgress } from '../../ui/goals-progress.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { leadRuleText, orderRuleTexts, subscriptionRuleText } from '../../ui/program-terms.ts';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { TierProgress } from '../../ui/tier-progress.tsx';
import { useCreatorId } from './creator-api.ts';
import { t } from './messages.ts';

/** Opens what the creator earns in a program: their own rates, those of their group, and the program's. */
export function OwnRatesButton({ membership }: { readonly membership: Membership }) {
  const [opened, setOpened] = useState(false);
  const title = t.own_rates.rates_in({ program: membership.program_name });
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        aria-label={`${t.own_rates.view_rates}: ${membership.program_name}`}
        onClick={() => setOpened(true)}
      >
        {t.own_rates.view_rates}
      </Button>
      <Dialog title={title} opened={opened} onClose={() => setOpened(false)}>
        <OwnRates member={membership.id} />
      </Dialog>
    </>
  );
}

const levelTitles = {
  member: t.own_rates.level_member,
  group: t.own_rates.level_group,
  tier: t.own_rates.level_tier,
  program: t.own_rates.level_program,
} as const;

function OwnRates({ member }: { readonly member: string }) {
  const creator = useCreatorId();
  const found = useQuery(apiQuery(apiPath('/creators/{creator}/memberships/{member}/rates', { creator, member })));
  if (found.isPending) return <LoadingSkeleton />;
  if (found.isError) return <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />;
  const { rates, pays, tiers, budget, leads, goals } = found.data;
  return (
    <>
      {tiers !== null && <TierProgress tiers={tiers} pays={pays} />}
      {goals !== undefined && <GoalsProgress goals={goals} />}
      {budget !== null && <CreatorBudget budget={budget} />}
      {rates.length > 1 && <p>{t.own_rates.first_that_matches}</p>}
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
      {leads.length > 0 && (
        <section>
          <h3>{t.own_rates.leads}</h3>
          <ul>
            {leads.map((rule) => (
              <li key={rule.kind}>{leadRuleText(rule)}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
