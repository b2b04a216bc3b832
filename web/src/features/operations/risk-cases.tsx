import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RiskCase } from '../../../../sdk/src/api-schema.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { OpenButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreatorLink, StoreLink } from './entity-links.tsx';
import type { RiskSearch } from './operator-search.ts';
import { riskRuleOptions, riskStateOptions, riskRuleLabel } from './risk-api.ts';
import { RiskCaseDrawer, RiskCaseStatusChip } from './risk-case.tsx';
import { t } from './messages.ts';

/** Risk cases: payouts that are kept back because of possible fraud, with the evidence. */
export function RiskCases() {
  const search = useSearch({ from: '/signed-in/operator/risk' });
  const navigate = useNavigate({ from: '/operator/risk' });
  const open = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, case: id }), resetScroll: false });
  const list = useList<'/risk/cases', Pick<RiskSearch, 'state' | 'rule'>>({
    search,
    navigate,
    path: '/risk/cases',
    defaultSort: '-opened_at',
    fields: [
      { type: 'select', name: 'state', label: t.risk_cases.state, options: riskStateOptions },
      { type: 'select', name: 'rule', label: t.risk_cases.rule, options: riskRuleOptions },
    ],
  });
  return (
    <Page
      title={t.risk_cases.risk}
      intro={t.risk_cases.disputes_fraud_warnings_and_signal}
      actions={
        <ButtonLink variant="default" to="/operator/settings">
          {t.risk_cases.risk_settings}
        </ButtonLink>
      }
    >
      <Section title={t.risk_cases.risk_cases} bare flush>
        <ListView
          list={list}
          caption={t.risk_cases.risk_cases}
          columns={columnsOf(open)}
          keyOf={({ id }) => id}
          empty={<EmptyRiskCases isFiltered={list.isFiltered} />}
        />
      </Section>
      {search.case !== undefined && <RiskCaseDrawer key={search.case} id={search.case} close={() => open(undefined)} />}
    </Page>
  );
}

const EmptyRiskCases = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState
      title={t.risk_cases.no_matching_cases}
      action={
        <ButtonLink variant="default" size="xs" to="/operator/risk">
          {t.risk_cases.show_all_cases}
        </ButtonLink>
      }
    >
      {t.risk_cases.try_another_state_or_rule}
    </EmptyState>
  ) : (
    <EmptyState title={t.risk_cases.no_risk_cases}>{t.risk_cases.disputed_charges_fraud_warnings_an}</EmptyState>
  );

const columnsOf = (open: (id: string) => void): ReadonlyArray<Column<RiskCase>> => [
  { title: t.risk_cases.opened, sort: 'opened_at', priority: true, cell: ({ opened_at: at }) => <Time at={at} /> },
  {
    title: t.risk_cases.rule,
    kind: 'name',
    priority: true,
    cell: ({ id, rule }) => (
      <OpenButton open={() => open(id)} ariaLabel={t.risk_cases.open_the_case({ rule: riskRuleLabel(rule) })}>
        {riskRuleLabel(rule)}
      </OpenButton>
    ),
  },
  { title: t.risk_cases.store, kind: 'name', cell: ({ store_id: id }) => (id === null ? '–' : <StoreLink id={id} />) },
  { title: t.risk_cases.creator, kind: 'name', cell: ({ creator_id: id }) => (id === null ? '–' : <CreatorLink id={id} />) },
  { title: t.risk_cases.state, priority: true, cell: (riskCase) => <RiskCaseStatusChip riskCase={riskCase} /> },
];
