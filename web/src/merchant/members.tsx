import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Links } from './links.tsx';
import { MemberChanges } from './member-changes.tsx';
import { memberList, membersPath, type Member } from './members-api.ts';
import { programPath } from './programs-api.ts';
import { MemberChip } from './store-chips.tsx';

type Of = { readonly store: string; readonly program: string };
type MembersProps = Of & { readonly mayChange: boolean };

/** Who takes part, and the links they were given. */
export function Members({ mayChange, ...of }: MembersProps) {
  const list = memberList(of.store, of.program);
  const members = useInfiniteQuery(list);
  const all = members.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <Section title="Members" intro="Creators who may earn in this program." flush actions={mayChange && <AddMember {...of} />}>
        <PagedTable
          caption="Members"
          list={list}
          keyOf={({ id }) => id}
          columns={columnsOf(of, mayChange)}
          empty={
            <Empty title="Nobody takes part yet">
              Ask a creator for their creator ID, which begins with <code>crt_</code> and stands on their home page, then add them here.
            </Empty>
          }
        />
      </Section>
      <Links {...of} members={all} mayChange={mayChange} />
    </>
  );
}

function AddMember({ store, program }: Of) {
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

const columnsOf = (of: Of, mayChange: boolean): ReadonlyArray<Column<Member>> => [
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => <strong>{name}</strong> },
  { title: 'Creator ID', cell: ({ creator_id: id }) => <span className="mono">{id}</span> },
  { title: 'State', cell: (member) => <MemberChip {...member} /> },
  { title: 'Since', cell: ({ since }) => <Time at={since} dateOnly /> },
  ...(mayChange
    ? [{ title: 'Change', kind: 'actions' as const, cell: (member: Member) => <MemberChanges {...of} member={member} /> }]
    : []),
];
