import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AttributionAlternatives, CreatorAlternative } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { DateFilter, Filters, SelectFilter } from '../../ui/filters.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import tableStyles from '../../ui/table.module.css';
import { programsQuery } from '../programs/programs-api.ts';
import type { AlternativesSearch } from '../stores/store-search-params.ts';
import { t } from './messages.ts';

const settingTexts: Readonly<Record<CreatorAlternative['alternative'], string>> = {
  code_before_click: t.alternatives.code_before_click,
  click_before_code: t.alternatives.click_before_code,
  first_partner: t.alternatives.first_partner,
  last_click: t.alternatives.last_click,
};

/** What creators would have earned under the other settings of the terms. */
export function AttributionAlternativesPage() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { program_id: program, from, to } = useSearch({ from: '/signed-in/stores/$store/attribution' });
  const report = useQuery({
    ...apiQuery(apiPath('/stores/{store}/attribution-alternatives', { store }, { program_id: program, from, to })),
    placeholderData: keepPreviousData,
  });
  const above = (
    <TextLink to="/stores/$store/codes" params={{ store }}>
      {t.codes_page.discount_codes}
    </TextLink>
  );
  return (
    <Page title={t.alternatives.title} above={above} intro={t.alternatives.intro}>
      <Section title={t.alternatives.by_creator} intro={t.alternatives.known} flush>
        <ReportFilters store={store} shown={report.data} />
        <QueryView query={report}>{(data) => <Report store={store} report={data} />}</QueryView>
      </Section>
    </Page>
  );
}

type ReportFiltersProps = { readonly store: string; readonly shown: AlternativesSearch | undefined };

function ReportFilters({ store, shown }: ReportFiltersProps) {
  const search = useSearch({ from: '/signed-in/stores/$store/attribution' });
  const navigate = useNavigate({ from: '/stores/$store/attribution' });
  const narrow = (part: AlternativesSearch) => void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false });
  const programs = useInfiniteQuery(programsQuery(store)).data?.pages.flatMap(({ data }) => data) ?? [];
  const [from, to] = [search.from ?? shown?.from, search.to ?? shown?.to];
  const isNarrowed = Object.values(search).some((value) => value !== undefined);
  return (
    <Filters onClear={isNarrowed ? () => narrow({ program_id: undefined, from: undefined, to: undefined }) : null}>
      <SelectFilter
        label={t.alternatives.program}
        value={search.program_id}
        options={programs.map(({ id, name }) => [id, name] as const)}
        change={(id) => narrow({ program_id: id })}
      />
      <DateFilter isNeeded label={t.alternatives.from_day} value={from} change={(day) => narrow({ from: day, to })} />
      <DateFilter isNeeded label={t.alternatives.to_day} value={to} change={(day) => narrow({ from, to: day })} />
    </Filters>
  );
}

function Report({ store, report }: { readonly store: string; readonly report: AttributionAlternatives }) {
  if (report.data.length === 0) return <EmptyState title={t.alternatives.nothing}>{t.alternatives.nothing_means}</EmptyState>;
  return (
    <>
      <p className={tableStyles.padded}>
        {t.alternatives.compared({ count: report.compared_orders })} {!report.is_complete && t.alternatives.incomplete}
      </p>
      <Table
        caption={t.alternatives.by_creator}
        columns={columnsOf(store)}
        rows={report.data}
        keyOf={({ creator_id: creator, alternative }) => `${creator} ${alternative}`}
      />
    </>
  );
}

const columnsOf = (store: string): ReadonlyArray<Column<CreatorAlternative>> => [
  {
    title: t.alternatives.creator,
    kind: 'name',
    priority: true,
    cell: ({ creator_id: creator, creator_name: name }) => (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.alternatives.setting, priority: true, cell: ({ alternative }) => settingTexts[alternative] },
  { title: t.alternatives.earned, kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents) },
  {
    title: t.alternatives.would_have_earned,
    kind: 'number',
    priority: true,
    cell: ({ would_have_earned_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  {
    title: t.alternatives.gained,
    kind: 'number',
    cell: ({ gained_cents: cents, orders_gained: count }) => <Change cents={cents} count={count} />,
  },
  {
    title: t.alternatives.lost,
    kind: 'number',
    cell: ({ lost_cents: cents, orders_lost: count }) => <Change cents={cents} count={count} />,
  },
];

const Change = ({ cents, count }: { readonly cents: CreatorAlternative['lost_cents']; readonly count: number }) => (
  <>
    <div>{formatDollars(cents)}</div>
    <div>{t.alternatives.orders({ count })}</div>
  </>
);

/** The same for one creator, on the creator's page; hidden without differences, which is the usual case. */
export function AlternativesOfCreator({ store, creator }: { readonly store: string; readonly creator: string }) {
  const report = useQuery(apiQuery(apiPath('/stores/{store}/attribution-alternatives', { store }, { creator_id: creator })));
  const found = report.data?.data ?? [];
  if (found.length === 0) return null;
  return (
    <Section
      title={t.alternatives.of_creator}
      intro={t.alternatives.of_creator_intro}
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/attribution" params={{ store }}>
          {t.alternatives.show_report}
        </ButtonLink>
      }
    >
      <ul style={{ margin: 0 }}>
        {found.map(({ alternative, would_have_earned_cents: would, earned_cents: earned }) => (
          <li key={alternative}>
            {t.alternatives.sentence({ setting: settingTexts[alternative], would: formatUsd(would), earned: formatUsd(earned) })}
          </li>
        ))}
      </ul>
    </Section>
  );
}
