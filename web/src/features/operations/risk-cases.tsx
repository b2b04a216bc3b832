import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RiskCase } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { OpenButton } from '../../ui/row-buttons.tsx';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreatorLink, StoreLink } from './entity-links.tsx';
import styles from './operator.module.css';
import { riskRuleOptions, riskStateOptions, riskRuleLabel } from './risk-api.ts';
import { RiskCaseDrawer, RiskCaseStatusChip } from './risk-case.tsx';

const casesPerPage = 20;

/** Risk cases: payouts that are kept back because of possible fraud, with the evidence. */
export function RiskCases() {
  const { state, rule, cursor, back, case: opened } = useSearch({ from: '/signed-in/operator/risk' });
  const navigate = useNavigate({ from: '/operator/risk' });
  const filter = { ...(state !== undefined && { state }), ...(rule !== undefined && { rule }) };
  const page = useQuery({
    ...apiQuery(apiPath('/risk/cases', {}, { state, rule, cursor, limit: casesPerPage })),
    placeholderData: keepPreviousData,
  });
  const cases = page.data?.data ?? [];
  const open = (id: string | undefined) => void navigate({ search: (search) => ({ ...search, case: id }), resetScroll: false });
  const isFiltered = state !== undefined || rule !== undefined;
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
        <Filters onClear={isFiltered ? () => void navigate({ search: {} }) : null}>
          <SelectFilter
            label="State"
            value={state}
            options={riskStateOptions}
            change={(value) => void navigate({ search: { ...filter, state: value } })}
          />
          <SelectFilter
            label="Rule"
            value={rule}
            options={riskRuleOptions}
            change={(value) => void navigate({ search: { ...filter, rule: value } })}
          />
        </Filters>
        {page.isPending && <LoadingSkeleton lines={4} />}
        {page.isError && (
          <div className={styles.padded}>
            <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && cases.length === 0 && <EmptyRiskCases isFiltered={isFiltered} />}
        {cases.length > 0 && <Table caption="Risk cases" columns={columnsOf(open)} rows={cases} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager
            position={{ cursor, back }}
            next={page.data.next_cursor}
            go={(target) => void navigate({ search: { ...filter, ...target } })}
          />
        )}
      </Section>
      {opened !== undefined && <RiskCaseDrawer key={opened} id={opened} close={() => open(undefined)} />}
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
