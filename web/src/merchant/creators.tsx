import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Page as PageOf } from '../api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Narrower } from '../parts/row-buttons.tsx';
import { withoutPlace, type Position } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { Applications } from './applications.tsx';
import { CreatorFilters, type NarrowCreators } from './creator-filters.tsx';
import { creatorsOfStore, type CreatorOfStore } from './creators-api.ts';
import styles from './creators.module.css';
import { InviteCreators } from './invite-creators.tsx';
import { MemberChanges } from './member-changes.tsx';
import { SaveCsv } from '../parts/save-buttons.tsx';
import { MemberChip } from './store-chips.tsx';

const rowsPerPage = 50;

/** Who promotes the store, in whatever program: whom to let in, what each brought, and the way to invite others. */
export function Creators() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const { cursor, back, ...filter } = useSearch({ from: '/inside/stores/$store/creators' });
  const navigate = useNavigate({ from: '/stores/$store/creators' });
  const mayChange = useMay(store)('programs:write');
  const path = creatorsOfStore(store, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...reading<PageOf<CreatorOfStore>>(path), placeholderData: keepPreviousData });
  const position: Position = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  const narrow: NarrowCreators = (changed) =>
    void navigate({ search: (now) => ({ ...withoutPlace(now), ...changed }), replace: 'q' in changed, resetScroll: false });
  const rows = page.data?.data ?? [];
  return (
    <Page
      title="Creators"
      intro="Who promotes your store, and what came through the links of each. Whoever takes part in two programs is listed in both."
      actions={<SaveCsv path={creatorsOfStore(store, filter, {})} name="creators.csv" />}
    >
      <Applications store={store} mayChange={mayChange} />
      <Section
        title="All creators"
        intro="Amounts are in USD. Commission is what the orders opened, whatever was decided on it since, less what was refunded."
        flush
      >
        <CreatorFilters store={store} filter={filter} rows={rows} narrow={narrow} clear={() => void navigate({ search: {} })} />
        {page.isPending && <Waiting lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && <EmptyCreators store={store} isFiltered={Object.keys(filter).length > 0} />}
        {rows.length > 0 && (
          <Table caption="All creators" columns={columnsOf({ store, mayChange, narrow })} rows={rows} keyOf={({ id }) => id} />
        )}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(place) => void navigate({ search: { ...filter, ...place } })} />
        )}
      </Section>
      <InviteCreators store={store} mayChange={mayChange} />
    </Page>
  );
}

type Ways = { readonly store: string; readonly mayChange: boolean; readonly narrow: NarrowCreators };

const columnsOf = ({ store, mayChange, narrow }: Ways): ReadonlyArray<Column<CreatorOfStore>> => [
  {
    title: 'Creator',
    kind: 'name',
    cell: ({ creator_id: id, creator_name: name }) => (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ creator_id: id }} fw={600} title={`Conversions of ${name}`}>
        {name}
      </TextLink>
    ),
  },
  {
    title: 'Program',
    cell: ({ program_id: id, program_name: name }) => <Narrower name={name} narrow={() => narrow({ program_id: id })} />,
  },
  { title: 'State', cell: (member) => <MemberChip {...member} /> },
  { title: 'Since', cell: ({ since }) => <Time at={since} dateOnly /> },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Revenue, USD', kind: 'number', cell: ({ revenue_cents: cents }) => dollarsOf(cents) },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  ...(mayChange
    ? [
        {
          title: 'Change',
          kind: 'actions' as const,
          cell: (member: CreatorOfStore) => <MemberChanges store={store} program={member.program_id} member={member} />,
        },
      ]
    : []),
];

function EmptyCreators({ store, isFiltered }: { readonly store: string; readonly isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <Empty title="Nobody takes part yet">
        Send the address of a program to creators you know: it says what they earn, and lets them apply.
      </Empty>
    );
  return (
    <Empty
      title="Nobody matches"
      action={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creators" params={{ store }}>
          Show all creators
        </ButtonLink>
      }
    >
      Widen the filter. A search finds the beginning of a name.
    </Empty>
  );
}
