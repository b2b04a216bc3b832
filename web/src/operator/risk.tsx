import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page as PageOf } from '../api.ts';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Opener } from '../parts/row-buttons.tsx';
import { queryOf } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { CreatorLink, StoreLink } from './named.tsx';
import styles from './operator.module.css';
import { riskRules, riskStates, ruleName, type RiskCase } from './risk-api.ts';
import { RiskCaseDrawer } from './risk-case.tsx';
import { RiskChip } from './risk-chip.tsx';

const casesPerPage = 20;

/** What is kept back from payouts because it may be fraud, with its evidence. */
export function OperatorsRisk() {
  const { state, rule, cursor, back, case: opened } = useSearch({ from: '/inside/operator/risk' });
  const navigate = useNavigate({ from: '/operator/risk' });
  const filter = { ...(state !== undefined && { state }), ...(rule !== undefined && { rule }) };
  const page = useQuery({
    ...reading<PageOf<RiskCase>>(`/risk/cases${queryOf({ state, rule, cursor, limit: casesPerPage })}`),
    placeholderData: keepPreviousData,
  });
  const cases = page.data?.data ?? [];
  const open = (id: string | undefined) => void navigate({ search: (search) => ({ ...search, case: id }), resetScroll: false });
  const isFiltered = state !== undefined || rule !== undefined;
  return (
    <Page
      title="Risk"
      intro="Disputes, fraud warnings and signals. What a case is about is not paid out until an operator releases it."
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
            options={riskStates}
            change={(asked) => void navigate({ search: { ...filter, state: asked } })}
          />
          <SelectFilter
            label="Rule"
            value={rule}
            options={riskRules}
            change={(asked) => void navigate({ search: { ...filter, rule: asked } })}
          />
        </Filters>
        {page.isPending && <Waiting lines={4} />}
        {page.isError && (
          <div className={styles.padded}>
            <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && cases.length === 0 && <NoCase isFiltered={isFiltered} />}
        {cases.length > 0 && <Table caption="Risk cases" columns={columnsOf(open)} rows={cases} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager
            position={{ cursor, back }}
            next={page.data.next_cursor}
            go={(place) => void navigate({ search: { ...filter, ...place } })}
          />
        )}
      </Section>
      {opened !== undefined && <RiskCaseDrawer key={opened} id={opened} close={() => open(undefined)} />}
    </Page>
  );
}

const NoCase = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty
      title="No case matches"
      action={
        <ButtonLink variant="default" size="xs" to="/operator/risk">
          Show all cases
        </ButtonLink>
      }
    >
      Try another state or rule.
    </Empty>
  ) : (
    <Empty title="No risk cases">Disputed charges, fraud warnings, and signals of fraud appear here with their evidence.</Empty>
  );

const columnsOf = (open: (id: string) => void): ReadonlyArray<Column<RiskCase>> => [
  { title: 'Opened', cell: ({ opened_at: at }) => <Time at={at} /> },
  {
    title: 'Rule',
    kind: 'name',
    cell: ({ id, rule, sentence }) => (
      <Opener open={() => open(id)} says={`Open the case: ${sentence}`}>
        {ruleName(rule)}
      </Opener>
    ),
  },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => (id === null ? '–' : <StoreLink id={id} />) },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => (id === null ? '–' : <CreatorLink id={id} />) },
  { title: 'State', cell: (riskCase) => <RiskChip riskCase={riskCase} /> },
];
