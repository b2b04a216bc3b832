import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import type { CreatorImport } from '../../api/api-schema.ts';
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
import { t } from './messages.ts';

const fileBytesMax = 1_000_000;
const messageLengthMax = 1_000;

/** Uploads a file of creators, and lists the imports of the last 30 days. */
export function CreatorImports() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const mayChange = usePermission(store)('programs:write');
  return (
    <Page
      title={t.creator_imports.import_creators}
      above={
        <TextLink to="/stores/$store/creator-invitations" params={{ store }}>
          {t.creator_imports.invitations}
        </TextLink>
      }
      intro={t.creator_imports.intro}
    >
      {mayChange && <UploadForm store={store} />}
      <Section title={t.creator_imports.imports} intro={t.creator_imports.imports_intro} flush>
        <ShortList
          caption={t.creator_imports.imports}
          path={creatorImportsPath(store)}
          keyOf={({ id }) => id}
          columns={columnsOf(store)}
          empty={<EmptyState title={t.creator_imports.none_yet}>{t.creator_imports.none_yet_text}</EmptyState>}
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
    if (chosen === undefined || chosen.size > fileBytesMax) throw fieldError('csv', t.creator_imports.too_large);
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
    <Section title={t.creator_imports.upload} intro={t.creator_imports.upload_intro}>
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
            label={t.creator_imports.file}
            description={t.creator_imports.file_description}
          />
          <SelectField
            name="program_id"
            label={t.creator_imports.program}
            description={t.creator_imports.program_description}
            optional
            data={[
              { value: '', label: t.creator_imports.program_of_file },
              ...all.filter(({ status }) => status === 'published').map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </FieldRow>
        <TextAreaField
          name="message"
          label={t.creator_imports.message}
          description={t.creator_imports.message_description}
          maxLength={messageLengthMax}
          optional
          autosize
          minRows={2}
        />
      </Form>
    </Section>
  );
}

const stateTexts: StatusTexts<CreatorImport['state']> = {
  draft: [t.creator_imports.draft, 'wait', t.creator_imports.draft_meaning],
  running: [t.creator_imports.running, 'wait', t.creator_imports.running_meaning],
  done: [t.creator_imports.done, 'good', t.creator_imports.done_meaning],
  cancelled: [t.creator_imports.cancelled, 'neutral', t.creator_imports.cancelled_meaning],
};

export const ImportStatusChip = ({ state }: Pick<CreatorImport, 'state'>) => <StatusChip texts={stateTexts} state={state} />;

const columnsOf = (store: string): ReadonlyArray<Column<CreatorImport>> => [
  {
    title: t.creator_imports.file,
    kind: 'name',
    cell: ({ id, file_name: name }) => (
      <TextLink to="/stores/$store/creator-imports/$import" params={{ store, import: id }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: t.creator_imports.state, cell: ({ state }) => <ImportStatusChip state={state} /> },
  { title: t.creator_imports.uploaded, cell: ({ made_at: at }) => <Time at={at} /> },
  { title: t.creator_imports.uploaded_by, cell: ({ made_by_name: name }) => name },
  { title: t.creator_imports.rows, kind: 'number', cell: ({ rows }) => rows.total.toLocaleString('en-GB') },
  { title: t.creator_imports.invited, kind: 'number', cell: ({ rows }) => rows.invited.toLocaleString('en-GB') },
  { title: t.creator_imports.errors, kind: 'number', cell: ({ rows }) => rows.invalid.toLocaleString('en-GB') },
];

export const importPath = (store: string, id: string) => apiPath('/stores/{store}/creator-imports/{import}', { store, import: id });
