import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ProgramAsset } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { AssetContent } from '../../ui/asset-content.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Time } from '../../ui/time.tsx';
import { t } from './messages.ts';

const fileBytesMax = 5_242_880;
const nameLengthMax = 200;
const textLengthMax = 5_000;

type AssetsOf = { readonly store: string; readonly program: string };
type ProgramAssetsProps = AssetsOf & { readonly mayChange: boolean };

const assetsPath = (params: AssetsOf) => apiPath('/stores/{store}/programs/{program}/assets', params);

/** What the members of the program can download to promote it. */
export function ProgramAssets({ store, program, mayChange }: ProgramAssetsProps) {
  const client = useQueryClient();
  const [adding, setAdding] = useState<'file' | 'text' | null>(null);
  const path = assetsPath({ store, program });
  const reload = () => refresh(client, path);
  const done = async () => {
    await reload();
    setAdding(null);
  };
  return (
    <Section
      title={t.program_assets.assets}
      intro={t.program_assets.intro}
      flush
      actions={
        mayChange && (
          <>
            <Button variant="default" size="xs" onClick={() => setAdding('text')}>
              {t.program_assets.add_text}
            </Button>
            <Button variant="default" size="xs" onClick={() => setAdding('file')}>
              {t.program_assets.upload_file}
            </Button>
          </>
        )
      }
    >
      <ShortList
        caption={t.program_assets.assets}
        path={path}
        keyOf={({ id }) => id}
        columns={columnsOf({ store, program, mayChange }, reload)}
        empty={<EmptyState title={t.program_assets.none_yet}>{t.program_assets.none_yet_text}</EmptyState>}
      />
      <Dialog title={t.program_assets.upload_file} opened={adding === 'file'} onClose={() => setAdding(null)}>
        <FileForm store={store} program={program} done={done} />
      </Dialog>
      <Dialog title={t.program_assets.add_text} opened={adding === 'text'} onClose={() => setAdding(null)}>
        <Form
          send={(values, key) => api.post(path, { name: values.text('name'), text: values.text('text') }, key)}
          done={done}
          submit={t.program_assets.add_text}
        >
          <TextField name="name" label={t.program_assets.name} maxLength={nameLengthMax} data-autofocus />
          <TextAreaField
            name="text"
            label={t.program_assets.text}
            description={t.program_assets.text_description}
            maxLength={textLengthMax}
            rows={4}
          />
        </Form>
      </Dialog>
    </Section>
  );
}

function FileForm({ store, program, done }: AssetsOf & { readonly done: () => Promise<void> }) {
  const file = useRef<HTMLInputElement>(null);
  const send = async (_values: Values, key: string) => {
    const chosen = file.current?.files?.[0];
    if (chosen === undefined || chosen.size > fileBytesMax) throw fieldError('file', t.program_assets.must_be_a_file);
    const name = chosen.name.slice(0, nameLengthMax);
    return api.upload(apiPath('/stores/{store}/programs/{program}/asset-files', { store, program }), { name, file: chosen }, key);
  };
  return (
    <Form send={send} done={done} submit={t.program_assets.upload_file}>
      <TextField
        ref={file}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,application/pdf"
        name="file"
        label={t.program_assets.file}
        description={t.program_assets.file_description}
      />
    </Form>
  );
}

const columnsOf = (
  { store, program, mayChange }: ProgramAssetsProps,
  reload: () => Promise<unknown>,
): ReadonlyArray<Column<ProgramAsset>> => [
  {
    title: t.program_assets.asset,
    cell: (asset) => (
      <AssetContent
        asset={asset}
        file={apiPath('/stores/{store}/programs/{program}/assets/{asset}/file', { store, program, asset: asset.id })}
      />
    ),
  },
  { title: t.program_assets.added, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
  ...(mayChange
    ? [
        {
          title: t.program_assets.change,
          kind: 'actions' as const,
          cell: ({ id, name }: ProgramAsset) => (
            <ConfirmButton
              variant="subtle"
              danger
              label={t.program_assets.delete}
              subject={name}
              title={t.program_assets.delete_this_asset}
              confirm={t.program_assets.delete_asset}
              run={async () => {
                await api.delete(apiPath('/stores/{store}/programs/{program}/assets/{asset}', { store, program, asset: id }));
                await reload();
              }}
            >
              <p>{t.program_assets.members_can_no_longer}</p>
            </ConfirmButton>
          ),
        },
      ]
    : []),
];
