import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberGroup } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { groupsPath, programPath } from './programs-api.ts';
import { t } from './messages.ts';

const nameLengthMax = 100;

type ProgramGroupsProps = { readonly store: string; readonly program: string; readonly mayChange: boolean };

/** Groups of members, for which a version of the terms can have rates. */
export function ProgramGroups({ store, program, mayChange }: ProgramGroupsProps) {
  const client = useQueryClient();
  const [edited, setEdited] = useState<MemberGroup | 'new' | null>(null);
  const path = groupsPath(store, program);
  const send = (name: string, key: string) =>
    edited === null || edited === 'new'
      ? api.post(path, { name }, key)
      : api.patch(apiPath('/stores/{store}/programs/{program}/groups/{group}', { store, program, group: edited.id }), { name });
  const done = async () => {
    // Members show the names of their groups.
    await refresh(client, programPath(store, program));
    setEdited(null);
  };
  const title = edited === 'new' ? t.program_groups.create_group : t.program_groups.rename_group;
  return (
    <Section
      title={t.program_groups.groups}
      intro={t.program_groups.intro}
      flush
      actions={
        mayChange && (
          <Button variant="default" size="xs" onClick={() => setEdited('new')}>
            {t.program_groups.create_group}
          </Button>
        )
      }
    >
      <ShortList
        caption={t.program_groups.groups}
        path={path}
        keyOf={({ id }) => id}
        columns={columnsOf(mayChange, setEdited)}
        empty={<EmptyState title={t.program_groups.none_yet}>{t.program_groups.none_yet_text}</EmptyState>}
      />
      <Dialog title={title} opened={edited !== null} onClose={() => setEdited(null)}>
        <Form send={(values, key) => send(values.text('name'), key)} done={done} submit={title}>
          <TextField
            name="name"
            label={t.program_groups.name}
            description={t.program_groups.name_description}
            maxLength={nameLengthMax}
            defaultValue={edited === null || edited === 'new' ? '' : edited.name}
            data-autofocus
          />
        </Form>
      </Dialog>
    </Section>
  );
}

const columnsOf = (mayChange: boolean, edit: (group: MemberGroup) => void): ReadonlyArray<Column<MemberGroup>> => [
  { title: t.program_groups.group, kind: 'name', cell: ({ name }) => <strong>{name}</strong> },
  { title: t.program_groups.members, kind: 'number', cell: ({ members }) => members },
  { title: t.program_groups.created, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
  ...(mayChange
    ? [
        {
          title: t.program_groups.actions,
          kind: 'actions' as const,
          cell: (group: MemberGroup) => (
            <Button variant="subtle" size="xs" aria-label={t.program_groups.rename_of({ name: group.name })} onClick={() => edit(group)}>
              {t.program_groups.rename}
            </Button>
          ),
        },
      ]
    : []),
];
