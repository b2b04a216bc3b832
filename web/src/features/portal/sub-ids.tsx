import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { SubIdTotals } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formats } from '../../messages/messages.ts';
import { DateFilter, Filters } from '../../ui/filters.tsx';
import { formatDollars } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { subIdsPath } from './creator-api.ts';
import { ResultsChart } from './creator-results-chart.tsx';
import type { CreatorLinksSearch } from './creator-search.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

type Days = Pick<CreatorLinksSearch, 'from' | 'to'>;

/** The first and last day, which stay the same between the table and the history of one sub-ID. */
function DayFilters({ shown }: { readonly shown: Days | undefined }) {
  const { from, to } = useSearch({ from: '/signed-in/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const narrow = (days: Days) => void navigate({ search: (now) => ({ ...now, ...days }), resetScroll: false });
  const [first, last] = [from ?? shown?.from, to ?? shown?.to];
  const isNarrowed = from !== undefined || to !== undefined;
  return (
    <Filters onClear={isNarrowed ? () => narrow({ from: undefined, to: undefined }) : null}>
      <DateFilter isNeeded label={t.creator_links.from} value={first} change={(day) => narrow({ from: day, to: last })} />
      <DateFilter isNeeded label={t.creator_links.to_2} value={last} change={(day) => narrow({ from: first, to: day })} />
    </Filters>
  );
}

/** The clicks, orders, and earnings of one sub-ID by day. */
export function SubIdResults({ creator, sub }: { readonly creator: string; readonly sub: string }) {
  const { from, to } = useSearch({ from: '/signed-in/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const [chart, setChart] = useState<string>();
  const results = useQuery({
    ...apiQuery(apiPath('/creators/{creator}/sub-id-results', { creator }, { sub_id: sub, from, to })),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t.creator_links.results_of_sub_id({ sub })}
      actions={
        <Button
          variant="default"
          size="xs"
          onClick={() => void navigate({ search: (now) => ({ ...now, sub: undefined }), resetScroll: false })}
        >
          {t.creator_links.show_all_sub_ids}
        </Button>
      }
    >
      <DayFilters shown={results.data} />
      <QueryView query={results}>
        {(data) =>
          data.days.length === 0 ? (
            <EmptyState title={t.creator_links.no_activity_on_these_days}>{t.creator_links.choose_other_days}</EmptyState>
          ) : (
            <>
              <ResultsChart results={{ ...data, compared: null }} chart={chart} choose={setChart} />
              {!data.is_complete && <p className={styles.muted}>{t.creator_links.only_the_most_recent_activity}</p>}
            </>
          )
        }
      </QueryView>
    </Section>
  );
}

const SubIdLink = ({ sub }: { readonly sub: string }) => (
  <TextLink to="/creator/links" search={(now: CreatorLinksSearch) => ({ ...now, sub })} resetScroll={false} className="mono">
    {sub}
  </TextLink>
);

type SubId = SubIdTotals['data'][number];

/** Results by sub-ID, so that creators can compare where they share their links. */
export function SubIdTable({ creator }: { readonly creator: string }) {
  const { from, to } = useSearch({ from: '/signed-in/creator/links' });
  const totals = useQuery({ ...apiQuery(subIdsPath(creator, { from, to })), placeholderData: keepPreviousData });
  return (
    <Section title={t.creator_links.results_by_sub_id} intro={t.creator_links.clicks_orders_and_earnings_for} flush>
      <DayFilters shown={totals.data} />
      <QueryView query={totals} padded />
      {totals.isSuccess && totals.data.data.length === 0 && (
        <EmptyState title={t.creator_links.no_activity_on_these_days}>{t.creator_links.add_a_sub_id_to}</EmptyState>
      )}
      {totals.isSuccess && totals.data.data.length > 0 && (
        <Table
          caption={t.creator_links.results_by_sub_id}
          columns={subIdColumns}
          rows={totals.data.data}
          keyOf={({ sub_id: sub }) => sub ?? ''}
        />
      )}
      {totals.isSuccess && totals.data.next_cursor !== null && (
        <p className={styles.padded}>{t.creator_links.showing_the_sub_ids_with({ data: totals.data.data.length })}</p>
      )}
      {totals.isSuccess && !totals.data.is_complete && <p className={styles.padded}>{t.creator_links.only_the_most_recent_activity}</p>}
    </Section>
  );
}

const subIdColumns: ReadonlyArray<Column<SubId>> = [
  { title: t.creator_links.sub_id, cell: ({ sub_id: sub }) => (sub === null ? t.creator_links.none : <SubIdLink sub={sub} />) },
  { title: t.creator_links.clicks, kind: 'number', cell: ({ clicks }) => formats.number(clicks) },
  { title: t.creator_links.orders, kind: 'number', cell: ({ orders }) => formats.number(orders) },
  { title: t.creator_links.earned_usd, kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];
