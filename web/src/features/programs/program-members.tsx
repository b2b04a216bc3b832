import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Member } from '../../api/api-schema.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ProgramLinks } from './program-links.tsx';
import { MemberActions, MemberStatusChip } from '../creators/member-status.tsx';
import { membersPath } from '../creators/members-api.ts';
import { programPath } from './programs-api.ts';

type ProgramIds = { readonly store: string; readonly program: string };
type ProgramMembersProps = ProgramIds & { readonly mayChange: boolean };

/** So many that the names of the creators of links are usually known. */
const membersPerPage = 200;

/** The members of a program and their links. */
export function ProgramMembers({ mayChange, ...ids }: ProgramMembersProps) {
  const list = useShortList(membersPath(ids.store, ids.program), { rowsPerPage: membersPerPage });
  return (
    <>
      <Section title="Members" intro="Creators who may earn in this program." flush actions={mayChange && <AddMemberButton {...ids} />}>
        <ListView
          caption="Members"
          list={list}
          keyOf={({ id }) => id}
          columns={columnsOf(ids, mayChange)}
          empty={
            <EmptyState title="Nobody takes part yet">
              Ask a creator for their creator ID, which begins with <code>crt_</code> and stands on their home page, then add them here.
            </EmptyState>
          }
        />
      </Section>
      <ProgramLinks {...ids} members={list.rows} mayChange={mayChange} />
    </>
  );
}

function AddMemberButton({ store, program }: ProgramIds) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, programPath(store, program));
    setOpened(false);
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Add a creator
      </Button>
      <Dialog title="Add a creator" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post(membersPath(store, program), { creator_id: values.text('creator_id') }, key)}
          done={done}
          submit="Add"
        >
          <TextField
            name="creator_id"
            label="Creator ID"
            description="The creator finds it on their home page."
            placeholder="crt_…"
            data-autofocus
            maxLength={40}
          />
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = (of: ProgramIds, mayChange: boolean): ReadonlyArray<Column<Member>> => [
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => <strong>{name}</strong> },
  { title: 'Creator ID', cell: ({ creator_id: id }) => <span className="mono">{id}</span> },
  { title: 'State', cell: (member) => <MemberStatusChip {...member} /> },
  { title: 'Since', cell: ({ since }) => <Time at={since} dateOnly /> },
  ...(mayChange
    ? [{ title: 'Change', kind: 'actions' as const, cell: (member: Member) => <MemberActions {...of} member={member} /> }]
    : []),
];
