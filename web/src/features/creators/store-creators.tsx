import { apiPath } from '../../api/operations.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { StoreCreator } from '../../../../sdk/src/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { hasRowsOrError, useShortList, ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { FilterButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import type { CreatorFilter } from '../stores/store-search-params.ts';
import { ApplicationAnswers } from './application-answers.tsx';
import { storeCreatorsPath } from './creators-api.ts';
import styles from './creators.module.css';
import { InviteCreators } from './invite-creators.tsx';
import { MemberActions, MemberStatusChip } from './member-status.tsx';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const statuses = [
  ['applied', t.store_creators.applied],
  ['approved', t.store_creators.approved],
  ['paused', t.store_creators.paused],
  ['removed', t.store_creators.removed],
] as const;
const searchLengthMax = 100;

/** The creators of all programs: open applications, the results of each creator, and invitations. */
export function StoreCreators() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/creators' });
  const navigate = useNavigate({ from: '/stores/$store/creators' });
  const mayChange = usePermission(store)('programs:write');
  const programs = useInfiniteQuery(programsQuery(store)).data?.pages.flatMap(({ data }) => data) ?? [];
  const list = useList<'/stores/{store}/creators', CreatorFilter>({
    search,
    navigate: (to) => navigate({ ...to, resetScroll: false }),
    path: storeCreatorsPath(store),
    defaultSort: '-created_at',
    fields: [
      { type: 'search', name: 'q', label: t.store_creators.creators_name, lengthMax: searchLengthMax },
      { type: 'select', name: 'status', label: t.store_creators.state, options: statuses },
      { type: 'select', name: 'program_id', label: t.store_creators.program, options: programs.map(({ id, name }) => [id, name] as const) },
      {
        type: 'days',
        from: { name: 'from', label: t.store_creators.performance_from_utc },
        to: { name: 'to', label: t.store_creators.performance_to_utc },
        utc: true,
      },
      {
        type: 'active',
        name: 'creator_id',
        label: t.store_creators.creator,
        text: (rows) => rows.find(({ creator_id: id }) => id === search.creator_id)?.creator_name,
      },
    ],
  });
  return (
    <Page
      title={t.store_creators.creators}
      intro={t.store_creators.creators_in_your_programs_with}
      actions={
        <>
          <ButtonLink variant="default" size="xs" to="/stores/$store/creator-messages" params={{ store }}>
            {t.store_creators.send_message}
          </ButtonLink>
          <ExportCsvButton path={list.exportPath} name="creators.csv" />
        </>
      }
    >
      <Applications store={store} mayChange={mayChange} />
      <Section title={t.store_creators.all_creators} intro={t.store_creators.amounts_are_in_usd_commissions} flush>
        <ListView
          list={list}
          caption={t.store_creators.all_creators}
          columns={columnsOf({ store, mayChange, setFilter: list.setFilter })}
          keyOf={({ id }) => id}
          empty={<EmptyCreators store={store} isFiltered={list.isFiltered} />}
        />
      </Section>
      <InviteCreators store={store} mayChange={mayChange} />
    </Page>
  );
}

type ColumnOptions = { readonly store: string; readonly mayChange: boolean; readonly setFilter: (changed: CreatorFilter) => void };

const columnsOf = ({ store, mayChange, setFilter }: ColumnOptions): ReadonlyArray<Column<StoreCreator>> => [
  {
    title: t.store_creators.creator,
    kind: 'name',
    priority: true,
    cell: ({ creator_id: id, creator_name: name }) => (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator: id }} className="strong">
        {name}
      </TextLink>
    ),
  },
  {
    title: t.store_creators.program,
    cell: ({ program_id: id, program_name: name, group }) => (
      <>
        <FilterButton name={name} narrow={() => setFilter({ program_id: id })} />
        {group !== undefined && <div className={styles.muted}>{t.store_creators.group({ group: group.name })}</div>}
      </>
    ),
  },
  { title: t.store_creators.state, priority: true, cell: (member) => <MemberStatusChip {...member} /> },
  { title: t.store_creators.since, sort: 'since', priority: true, cell: ({ since }) => <Time at={since} dateOnly /> },
  { title: t.store_creators.clicks, kind: 'number', sort: 'clicks', cell: ({ clicks }) => formats.number(clicks) },
  { title: t.store_creators.orders, kind: 'number', sort: 'orders', cell: ({ orders }) => formats.number(orders) },
  { title: t.store_creators.revenue_usd, kind: 'number', sort: 'revenue_cents', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  {
    title: t.store_creators.commissions_usd,
    kind: 'number',
    sort: 'earned_cents',
    priority: true,
    cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  ...(mayChange
    ? [
        {
          title: t.store_creators.change,
          kind: 'actions' as const,
          cell: (member: StoreCreator) => <MemberActions store={store} program={member.program_id} member={member} />,
        },
      ]
    : []),
];

function EmptyCreators({ store, isFiltered }: { readonly store: string; readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState title={t.store_creators.no_creators_yet}>{t.store_creators.share_the_page_of}</EmptyState>;
  return (
    <EmptyState
      title={t.store_creators.no_matching_creators}
      action={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creators" params={{ store }}>
          {t.store_creators.show_all_creators}
        </ButtonLink>
      }
    >
      {t.store_creators.change_the_filter_a_search}
    </EmptyState>
  );
}

type ApplicationsProps = { readonly store: string; readonly mayChange: boolean };

/** Open applications; hidden when there are none, which is the usual case. */
function Applications({ store, mayChange }: ApplicationsProps) {
  const list = useShortList(apiPath('/stores/{store}/creators', { store }, { status: 'applied' }));
  if (!hasRowsOrError(list)) return null;
  return (
    <Section
      title={t.store_creators.applications}
      intro={mayChange ? t.store_creators.creators_see_your_decision_in : t.store_creators.only_owners_and_marketers_can}
      flush
    >
      <ListView
        caption={t.store_creators.applications}
        list={list}
        keyOf={({ id }) => id}
        columns={applicationColumns(store, mayChange)}
        empty={null}
      />
    </Section>
  );
}

const applicationColumns = (store: string, mayChange: boolean): ReadonlyArray<Column<StoreCreator>> => [
  {
    title: t.store_creators.creator,
    kind: 'name',
    cell: ({ creator_id: id, creator_name: name }) => (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator: id }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.store_creators.applied_to, cell: ({ program_name: name }) => name },
  { title: t.store_creators.answers, cell: ({ answers }) => <ApplicationAnswers answers={answers} /> },
  { title: t.store_creators.applied, cell: ({ since }) => <Time at={since} /> },
  ...(mayChange
    ? [
        {
          title: t.store_creators.review,
          kind: 'actions' as const,
          cell: (member: StoreCreator) => <MemberActions store={store} program={member.program_id} member={member} />,
        },
      ]
    : []),
];
