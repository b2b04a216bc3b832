import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import type { CreatorImport } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import { creatorImportsPath } from './creators-api.ts';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const fileBytesMax = 1_000_000;
const messageLengthMax = 1_000;

export const aboveImports = (store: string): readonly ReactNode[] => [
  <TextLink key="creators" to="/stores/$store/creators" params={{ store }}>
    {t.store_creators.creators}
  </TextLink>,
  <TextLink key="invitations" to="/stores/$store/creator-invitations" params={{ store }}>
    {t.creator_invitations.invitations}
  </TextLink>,
];

/** Uploads a file of creators, and lists the imports of the last 30 days. */
export function CreatorImports() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const mayChange = usePermission(store)('programs:write');
  return (
    <Page title={t.creator_imports.creator_imports} above={aboveImports(store)} intro={t.creator_imports.invite_many_creators_from}>
      {mayChange && <UploadForm store={store} />}
      <Section title={t.creator_imports.imports} intro={t.creator_imports.files_are_deleted_after_30} flush>
        <ShortList
          caption={t.creator_imports.imports}
          path={creatorImportsPath(store)}
          keyOf={({ id }) => id}
          columns={columnsOf(store)}
          empty={<EmptyState title={t.creator_imports.no_imports_yet}>{t.creator_imports.each_uploaded_file_is_listed}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

function UploadForm({ store }: { readonly store: string }) {
  const navigate = useNavigate();
  const file = useRef<HTMLInputElement>(null);
  const all = useInfiniteQuery(programsQuery(store)).data?.pages.flatMap(({ data }) => data) ?? [];
  const send = async (values: Values, key: string) => {
    const chosen = file.current?.files?.[0];
    if (chosen === undefined || chosen.size > fileBytesMax) throw fieldError('csv', t.creator_imports.must_be_a_file_of);
    const [program, message] = [values.text('program_id'), values.text('message')];
    const body = {
      file_name: chosen.name.slice(0, 200),
      csv: await chosen.text(),
      program_id: program === '' ? null : program,
      message: message === '' ? null : message,
    };
    return api.post(creatorImportsPath(store), body, key);
  };
  return (
    <Section title={t.creator_imports.upload_a_file} intro={t.creator_imports.the_first_line_has_the}>
      <Form
        send={send}
        done={({ id }) => navigate({ to: '/stores/$store/creator-imports/$import', params: { store, import: id } })}
        submit={t.creator_imports.upload_file}
      >
        <FieldRow>
          <TextField
            ref={file}
            type="file"
            accept=".csv,text/csv"
            name="csv"
            label={t.creator_imports.csv_file}
            description={t.creator_imports.separated_by_commas_semicolons_or}
          />
          <SelectField
            name="program_id"
            label={t.creator_imports.program}
            description={t.creator_imports.for_rows_that_name_no}
            optional
            data={[
              { value: '', label: t.creator_imports.named_in_the_file },
              ...all.filter(({ status }) => status === 'published').map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </FieldRow>
        <TextAreaField
          name="message"
          label={t.creator_imports.message}
          description={t.creator_imports.added_to_each_invitation_as}
          maxLength={messageLengthMax}
          optional
          rows={2}
        />
      </Form>
    </Section>
  );
}

const stateTexts: StatusTexts<CreatorImport['state']> = {
  draft: [t.creator_imports.preview, 'wait', t.creator_imports.nothing_was_sent_yet_check],
  running: [t.creator_imports.running, 'wait', t.creator_imports.invitations_are_being_sent_you],
  done: [t.creator_imports.done, 'good', t.creator_imports.all_valid_rows_were_processed],
  cancelled: [t.creator_imports.cancelled, 'neutral', t.creator_imports.the_import_was_cancelled_invitatio],
};

export const ImportStatusChip = ({ state }: Pick<CreatorImport, 'state'>) => <StatusChip texts={stateTexts} state={state} />;

const columnsOf = (store: string): ReadonlyArray<Column<CreatorImport>> => [
  {
    title: t.creator_imports.csv_file,
    kind: 'name',
    cell: ({ id, file_name: name }) => (
      <TextLink to="/stores/$store/creator-imports/$import" params={{ store, import: id }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.creator_imports.state, cell: ({ state }) => <ImportStatusChip state={state} /> },
  { title: t.creator_imports.uploaded, cell: ({ made_at: at }) => <Time at={at} /> },
  { title: t.creator_imports.by, cell: ({ made_by_name: name }) => name },
  { title: t.creator_imports.rows, kind: 'number', cell: ({ rows }) => formats.number(rows.total) },
  { title: t.creator_imports.invited, kind: 'number', cell: ({ rows }) => formats.number(rows.invited) },
  { title: t.creator_imports.errors, kind: 'number', cell: ({ rows }) => formats.number(rows.invalid) },
];

export const importPath = (store: string, id: string) => apiPath('/stores/{store}/creator-imports/{import}', { store, import: id });
