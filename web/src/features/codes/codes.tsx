import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { DiscountCode } from '../../../../sdk/src/api-schema.ts';
import { rich } from '../../messages/rich-text.tsx';
import { CopyableValue } from '../../ui/copy.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { formatDollars } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { FilterButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import type { CodeFilter } from '../stores/store-search-params.ts';
import { AttributionWarnings } from './attribution-warnings.tsx';
import { CodeActions } from './code-actions.tsx';
import { CreateCodeButton } from './code-form.tsx';
import { CodeLeaks } from './code-leaks.tsx';
import { CodeStateChip } from './code-state.tsx';
import { codesPath } from './codes-api.ts';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const statuses = [
  ['active', t.codes_page.active],
  ['paused', t.codes_page.paused],
  ['ended', t.codes_page.ended],
] as const;
const searchLengthMax = 100;

/** The discount codes of all programs, with their owners and results. */
export function Codes() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/codes' });
  const navigate = useNavigate({ from: '/stores/$store/codes' });
  const mayChange = usePermission(store)('programs:write');
  const programs = useInfiniteQuery(programsQuery(store)).data?.pages.flatMap(({ data }) => data) ?? [];
  const list = useList<'/stores/{store}/codes', CodeFilter>({
    search,
    navigate: (to) => navigate({ ...to, resetScroll: false }),
    path: codesPath(store),
    defaultSort: '-created_at',
    fields: [
      { type: 'search', name: 'q', label: t.codes_page.code_or_owner, lengthMax: searchLengthMax },
      { type: 'select', name: 'status', label: t.codes_page.state, options: statuses },
      { type: 'select', name: 'program_id', label: t.codes_page.program, options: programs.map(({ id, name }) => [id, name] as const) },
      {
        type: 'active',
        name: 'creator_id',
        label: t.codes_page.owner,
        text: (rows) => rows.find(({ creator_id: id }) => id === search.creator_id)?.creator_name,
      },
    ],
  });
  return (
    <Page
      title={t.codes_page.discount_codes}
      intro={t.codes_page.intro}
      actions={
        <>
          <ButtonLink variant="default" size="xs" to="/stores/$store/attribution" params={{ store }}>
            {t.codes_page.compare_rules}
          </ButtonLink>
          <ExportCsvButton path={list.exportPath} name="discount-codes.csv" />
          {mayChange && <CreateCodeButton store={store} />}
        </>
      }
    >
      <AttributionWarnings store={store} mayChange={mayChange} />
      <CodeLeaks store={store} mayChange={mayChange} />
      <Section title={t.codes_page.all_codes} intro={t.codes_page.amounts_are_in_usd} flush>
        <ListView
          list={list}
          caption={t.codes_page.all_codes}
          columns={columnsOf({ store, mayChange, setFilter: list.setFilter })}
          keyOf={({ id }) => id}
          empty={<EmptyCodes store={store} isFiltered={list.isFiltered} />}
        />
      </Section>
    </Page>
  );
}

type ColumnOptions = { readonly store: string; readonly mayChange: boolean; readonly setFilter: (changed: CodeFilter) => void };

const columnsOf = ({ store, mayChange, setFilter }: ColumnOptions): ReadonlyArray<Column<DiscountCode>> => [
  codeColumn,
  {
    title: t.codes_page.owner_and_program,
    priority: true,
    // The program has no column of its own, because the table would be wider than a usual screen.
    cell: ({ creator_id: creator, creator_name: name, program_id: program, program_name: programName }) => (
      <>
        <TextLink to="/stores/$store/creators/$creator" params={{ store, creator }}>
          {name}
        </TextLink>
        <div>
          <FilterButton name={programName} narrow={() => setFilter({ program_id: program })} />
        </div>
      </>
    ),
  },
  ...resultColumns,
  { title: t.codes_page.created, sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
  ...changeColumn(store, mayChange),
];

const codeColumn: Column<DiscountCode> = {
  title: t.codes_page.code,
  kind: 'name',
  priority: true,
  sort: 'code',
  cell: ({ code }) => <CopyableValue value={code} label={t.codes_page.copy_code({ code })} />,
};

const resultColumns: ReadonlyArray<Column<DiscountCode>> = [
  { title: t.codes_page.state, priority: true, cell: (code) => <CodeStateChip code={code} /> },
  { title: t.codes_page.validity, sort: 'valid_until', priority: true, cell: (code) => <Validity code={code} /> },
  { title: t.codes_page.orders, kind: 'number', cell: ({ orders }) => formats.number(orders) },
  { title: t.codes_page.revenue_usd, kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  {
    title: t.codes_page.commissions_usd,
    kind: 'number',
    priority: true,
    cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
];

const changeColumn = (store: string, mayChange: boolean): ReadonlyArray<Column<DiscountCode>> =>
  mayChange ? [{ title: t.codes_page.change, kind: 'actions', cell: (code) => <CodeActions store={store} code={code} /> }] : [];

/** The columns on the page of one creator. */
export const codeColumnsOfCreator = (store: string, mayChange: boolean): ReadonlyArray<Column<DiscountCode>> => [
  codeColumn,
  { title: t.codes_page.program, cell: ({ program_name: name }) => name },
  ...resultColumns,
  ...changeColumn(store, mayChange),
];

function Validity({ code: { valid_from: from, valid_until: until, orders_per_customer: most } }: { readonly code: DiscountCode }) {
  const start = <Time at={from} dateOnly />;
  return (
    <>
      <div>
        {until === null
          ? rich(t.codes_page.from, { from: start })
          : rich(t.codes_page.from_until, { from: start, until: <Time at={until} dateOnly /> })}
      </div>
      {most !== null && <div>{t.codes_page.per_customer({ count: most })}</div>}
    </>
  );
}

function EmptyCodes({ store, isFiltered }: { readonly store: string; readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState title={t.codes_page.no_codes_yet}>{t.codes_page.create_the_first}</EmptyState>;
  return (
    <EmptyState
      title={t.codes_page.no_matching_codes}
      action={
        <ButtonLink variant="default" size="xs" to="/stores/$store/codes" params={{ store }}>
          {t.codes_page.show_all_codes}
        </ButtonLink>
      }
    >
      {t.codes_page.change_the_filter}
    </EmptyState>
  );
}
