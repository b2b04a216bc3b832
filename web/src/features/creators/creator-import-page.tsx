import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { CreatorImport, CreatorImportRow } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { FieldRow, SelectField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import type { ImportRowFilter } from '../stores/store-search-params.ts';
import { aboveImports, importPath, ImportStatusChip } from './creator-imports.tsx';
import styles from './creators.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const progressMs = 1_000;

/** One import: its columns and preview, then its progress and results. Everything is stored by the service, so the page can be left. */
export function CreatorImportPage() {
  const { store, import: id } = useParams({ from: '/signed-in/stores/$store/creator-imports/$import' });
  const found = useQuery({
    ...apiQuery(importPath(store, id)),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? progressMs : false),
  });
  const above = [
    ...aboveImports(store),
    <TextLink key="imports" to="/stores/$store/creator-imports" params={{ store }}>
      {t.creator_imports.creator_imports}
    </TextLink>,
  ];
  if (found.isPending) return <Page title={t.creator_import_page.import} above={above} children={<LoadingSkeleton />} />;
  if (found.isError)
    return (
      <Page
        title={t.creator_import_page.import}
        above={above}
        children={<ErrorAlert error={found.error} onRetry={() => void found.refetch()} />}
      />
    );
  return (
    <Page title={found.data.file_name} above={above}>
      <Summary store={store} found={found.data} />
      {found.data.state === 'draft' && <ColumnsForm key={id} store={store} found={found.data} />}
      <Rows store={store} found={found.data} />
    </Page>
  );
}

type ImportProps = { readonly store: string; readonly found: CreatorImport };

function Summary({ store, found }: ImportProps) {
  const mayChange = usePermission(store)('programs:write');
  const { rows, state } = found;
  const done = rows.invited + rows.skipped;
  return (
    <Section
      title={t.creator_import_page.progress}
      intro={
        state === 'draft'
          ? t.creator_import_page.nothing_was_sent_yet_check
          : state === 'running'
            ? t.creator_import_page.you_can_leave_this_page
            : undefined
      }
      actions={<ImportStatusChip state={state} />}
    >
      <Stats label={t.creator_import_page.progress} inside>
        <Stat name={t.creator_import_page.ready} value={formats.number(rows.ready)} detail={t.creator_import_page.to_be_invited} />
        <Stat name={t.creator_import_page.invited} value={formats.number(rows.invited)} detail={t.creator_import_page.emails_sent} />
        <Stat
          name={t.creator_import_page.skipped}
          value={formats.number(rows.skipped)}
          detail={t.creator_import_page.members_applicants_or_invited_alre}
        />
        <Stat name={t.creator_import_page.errors} value={formats.number(rows.invalid)} detail={t.creator_import_page.not_sent} />
      </Stats>
      {state === 'running' && (
        <progress
          max={100}
          value={(done / Math.max(1, done + rows.ready)) * 100}
          aria-label={t.creator_import_page.of_rows_processed({ done, all: done + rows.ready })}
        />
      )}
      {mayChange && (state === 'draft' || state === 'running') && <ImportActions store={store} found={found} />}
      {found.members_in_other_group > 0 && <OtherGroups store={store} found={found} mayChange={mayChange} />}
    </Section>
  );
}

function ImportActions({ store, found: { id, state, rows } }: ImportProps) {
  const client = useQueryClient();
  const post = (action: 'start' | 'cancel') => async () => {
    const params = { store, import: id };
    await (action === 'start'
      ? api.post(apiPath('/stores/{store}/creator-imports/{import}/start', params))
      : api.post(apiPath('/stores/{store}/creator-imports/{import}/cancel', params)));
    await refresh(client, apiPath('/stores/{store}/creator-imports', { store }));
  };
  return (
    <div className={styles.actions}>
      {state === 'draft' && rows.ready > 0 && (
        <ConfirmButton
          size="sm"
          variant="filled"
          label={t.creator_import_page.start_import}
          title={t.creator_import_page.send_invitations({ ready: rows.ready })}
          confirm={t.creator_import_page.start_import}
          run={post('start')}
        >
          <p>{t.creator_import_page.each_person_gets_an_email}</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        size="sm"
        danger
        label={t.creator_import_page.cancel_import}
        title={t.creator_import_page.cancel_this_import}
        confirm={t.creator_import_page.cancel_import}
        run={post('cancel')}
      >
        <p>{t.creator_import_page.no_more_invitations_are_sent}</p>
      </ConfirmButton>
    </div>
  );
}

/** Which members these are is in the rows below. Each request moves some of them. */
function OtherGroups({ store, found, mayChange }: ImportProps & { readonly mayChange: boolean }) {
  const client = useQueryClient();
  const count = found.members_in_other_group;
  const move = async () => {
    const path = apiPath('/stores/{store}/creator-imports/{import}/move-members', { store, import: found.id });
    try {
      while ((await api.post(path)).remaining > 0);
    } finally {
      await refresh(client, apiPath('/stores/{store}/creator-imports', { store }));
    }
  };
  return (
    <div role="note">
      <p>{t.creator_import_page.members_are_in_another_group({ count })}</p>
      {mayChange && (
        <ConfirmButton
          size="sm"
          label={t.creator_import_page.move_members}
          title={t.creator_import_page.move_members_to_their_groups({ count })}
          confirm={t.creator_import_page.move_members}
          run={move}
        >
          <p>{t.creator_import_page.orders_from_now_on_earn}</p>
        </ConfirmButton>
      )}
    </div>
  );
}

const none = '';
const columnOf = (text: string): number | null => (text === none ? null : Number(text));

function ColumnsForm({ store, found }: ImportProps) {
  const client = useQueryClient();
  const mayChange = usePermission(store)('programs:write');
  const programs = useInfiniteQuery(programsQuery(store));
  const send = (values: Values) =>
    api.patch(importPath(store, found.id), {
      columns: {
        email: columnOf(values.text('columns.email')),
        name: columnOf(values.text('columns.name')),
        program: columnOf(values.text('columns.program')),
        note: columnOf(values.text('columns.note')),
        group: columnOf(values.text('columns.group')),
      },
      program_id: values.text('program_id') === none ? null : values.text('program_id'),
    });
  const options = [
    { value: none, label: t.creator_import_page.none },
    ...found.headers.map((header, index) => ({ value: String(index), label: header })),
  ];
  const field = (name: keyof CreatorImport['columns'], label: string, description?: string) => (
    <SelectField
      name={`columns.${name}`}
      label={label}
      {...(description !== undefined && { description })}
      optional={name !== 'email'}
      data={options}
      defaultValue={String(found.columns[name] ?? none)}
    />
  );
  if (!mayChange) return null;
  const all = programs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title={t.creator_import_page.columns} intro={t.creator_import_page.choose_which_column_has_what}>
      {/* A select keeps its first value, so its options must be known. */}
      <QueryView query={programs}>
        {() => (
          <Form send={send} done={() => refresh(client, importPath(store, found.id))} submit={t.creator_import_page.update_preview}>
            <FieldRow>
              {field('email', t.creator_import_page.email)}
              {field('name', t.creator_import_page.name)}
            </FieldRow>
            <FieldRow>
              {field('program', t.creator_import_page.program)}
              {field('note', t.creator_import_page.note_or_sub_id)}
            </FieldRow>
            {field('group', t.creator_import_page.group, t.creator_import_page.a_group_of_the_program)}
            <SelectField
              name="program_id"
              label={t.creator_import_page.default_program}
              description={t.creator_import_page.for_rows_that_name_no}
              optional
              defaultValue={found.program_id ?? none}
              data={[{ value: none, label: t.creator_import_page.none_2 }, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
            />
          </Form>
        )}
      </QueryView>
    </Section>
  );
}

type RowState = CreatorImportRow['state'];
const rowTexts: StatusTexts<RowState> = {
  ready: [t.creator_import_page.ready, 'wait', t.creator_import_page.an_invitation_will_be_sent],
  invalid: [t.creator_import_page.error, 'bad', t.creator_import_page.no_invitation_is_sent_for],
  invited: [t.creator_import_page.invited, 'good', t.creator_import_page.the_invitation_was_sent],
  skipped: [t.creator_import_page.skipped, 'neutral', t.creator_import_page.no_invitation_was_sent_for],
};
const rowStates: readonly RowState[] = ['ready', 'invalid', 'invited', 'skipped'];

const reasonTexts: Readonly<Record<NonNullable<CreatorImportRow['reason']>, string>> = {
  email_missing: t.creator_import_page.the_row_has_no_email,
  email_invalid: t.creator_import_page.this_is_not_an_email,
  name_too_long: t.creator_import_page.the_name_has_more_than,
  note_too_long: t.creator_import_page.the_note_has_more_than,
  program_unknown: t.creator_import_page.no_program_of_your_store,
  program_missing: t.creator_import_page.the_row_names_no_program,
  group_unknown: t.creator_import_page.the_program_has_no_group,
  duplicate: t.creator_import_page.an_earlier_row_has_the,
  already_member: t.creator_import_page.the_creator_is_a_member,
  already_applied: t.creator_import_page.the_creator_has_applied_approve,
  already_invited: t.creator_import_page.the_creator_has_an_open,
  program_not_open: t.creator_import_page.the_program_is_not_published,
  member_in_other_group: t.creator_import_page.the_member_is_in_another_group,
  moved_to_group: t.creator_import_page.the_member_was_moved,
  no_longer_member: t.creator_import_page.the_creator_is_no_longer_member,
};

function Rows({ store, found }: ImportProps) {
  const list = useList<'/stores/{store}/creator-imports/{import}/rows', ImportRowFilter>({
    search: useSearch({ from: '/signed-in/stores/$store/creator-imports/$import' }),
    navigate: useNavigate({ from: '/stores/$store/creator-imports/$import' }),
    path: apiPath('/stores/{store}/creator-imports/{import}/rows', { store, import: found.id }),
    fields: [
      {
        type: 'select',
        name: 'state',
        label: t.creator_import_page.result,
        options: rowStates.map((state) => [state, rowTexts[state][0]] as const),
      },
    ],
    // These rows may have been read before the last of them was processed, and the import after it.
    refetchInterval: (rows) =>
      found.state === 'running' || (found.state === 'done' && rows.some(({ state }) => state === 'ready')) ? progressMs : false,
  });
  return (
    <Section
      title={t.creator_import_page.rows}
      intro={t.creator_import_page.in_the_order_of_the}
      flush
      actions={<ExportCsvButton path={list.exportPath} name="import.csv" />}
    >
      <ListView
        list={list}
        caption={t.creator_import_page.rows}
        columns={columnsOf(found.columns)}
        keyOf={({ row }) => String(row)}
        empty={<EmptyState title={t.creator_import_page.no_rows_match}>{t.creator_import_page.choose_another_result_above}</EmptyState>}
      />
    </Section>
  );
}

const columnsOf = ({ group }: CreatorImport['columns']): ReadonlyArray<Column<CreatorImportRow>> => [
  { title: t.creator_import_page.row, kind: 'number', cell: ({ row }) => formats.number(row) },
  {
    title: t.creator_import_page.email,
    kind: 'name',
    cell: ({ email, cells }) => email ?? <span className={styles.muted}>{cells.join(' · ')}</span>,
  },
  { title: t.creator_import_page.name, cell: ({ name }) => name ?? '' },
  ...(typeof group === 'number' ? [{ title: t.creator_import_page.group, cell: ({ cells }: CreatorImportRow) => cells[group] ?? '' }] : []),
  {
    title: t.creator_import_page.result_2,
    cell: ({ state, reason }) => (
      <>
        <StatusChip texts={rowTexts} state={state} />
        {reason !== null && <div className={styles.muted}>{reasonTexts[reason]}</div>}
      </>
    ),
  },
];
