import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RiskCase } from '../../api/api-schema.ts';
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

/** Risk cases: payouts that are kept back because of possible fraud, with the evidence. */
export function RiskCases() {
  const search = useSearch({ from: '/signed-in/operator/risk' });
  const navigate = useNavigate({ from: '/operator/risk' });
  const open = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, case: id }), resetScroll: false });
  const list = useList<'/risk/cases', Pick<RiskSearch, 'state' | 'rule'>>({
    search,
    navigate,
    path: '/risk/cases',
    fields: [
      { type: 'select', name: 'state', label: 'State', options: riskStateOptions },
      { type: 'select', name: 'rule', label: 'Rule', options: riskRuleOptions },
    ],
  });
  return (
    <Page
      title="Risk"
      intro="Disputes, fraud warnings and signals. Money of an open case is not paid out until an operator releases the case."
      actions={
        <ButtonLink variant="default" to="/operator/settings">
          Risk settings
        </ButtonLink>
      }
    >
      <Section title="Risk cases" bare flush>
        <ListView
          list={list}
          caption="Risk cases"
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
      title="No case matches"
      action={
        <ButtonLink variant="default" size="xs" to="/operator/risk">
          Show all cases
        </ButtonLink>
      }
    >
      Try another state or rule.
    </EmptyState>
  ) : (
    <EmptyState title="No risk cases">Disputed charges, fraud warnings, and signals of fraud appear here with their evidence.</EmptyState>
  );

const columnsOf = (open: (id: string) => void): ReadonlyArray<Column<RiskCase>> => [
  { title: 'Opened', cell: ({ opened_at: at }) => <Time at={at} /> },
  {
    title: 'Rule',
    kind: 'name',
    cell: ({ id, rule }) => (
      <OpenButton open={() => open(id)} ariaLabel={`Open the case: ${riskRuleLabel(rule)}`}>
        {riskRuleLabel(rule)}
      </OpenButton>
    ),
  },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => (id === null ? '–' : <StoreLink id={id} />) },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => (id === null ? '–' : <CreatorLink id={id} />) },
  { title: 'State', cell: (riskCase) => <RiskCaseStatusChip riskCase={riskCase} /> },
];
