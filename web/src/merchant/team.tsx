import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '@mantine/core';
import { api } from '../api.ts';
import { ConfirmButton, Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { listing, refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Invitations } from '../people/invitations.tsx';
import { useMay } from '../people/may.ts';
import { roles } from '../people/scopes.ts';
import { storePath } from './stores-api.ts';

type Colleague = { readonly user_id: string; readonly email: string; readonly name: string; readonly role: string; readonly since: string };

export function Team() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const mayChange = useMay(store)('team:write');
  const path = `${storePath(store)}/team`;
  return (
    <Page title="Team" intro="Who works on this store, and what each may do.">
      <Section title="People" flush>
        <PagedTable
          caption="Team"
          list={listing<Colleague>(path)}
          keyOf={({ user_id: id }) => id}
          columns={columnsOf(path, mayChange)}
          empty={<Empty title="Nobody yet">This store was made by an operator’s program. Invite its owner below.</Empty>}
        />
      </Section>
      <Invitations path={`${storePath(store)}/invitations`} withRole mayChange={mayChange} />
    </Page>
  );
}

const columnsOf = (path: string, mayChange: boolean): ReadonlyArray<Column<Colleague>> => [
  { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { title: 'E-mail', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Since', cell: ({ since }) => <Time at={since} dateOnly /> },
  ...(mayChange
    ? [{ title: 'Change', kind: 'actions' as const, cell: (person: Colleague) => <Changes path={path} person={person} /> }]
    : []),
];

function Changes({ path, person }: { readonly path: string; readonly person: Colleague }) {
  const client = useQueryClient();
  const remove = async () => {
    await api.delete(`${path}/${person.user_id}`);
    await refresh(client, path);
  };
  return (
    <>
      <ChangeRole path={path} person={person} />
      <ConfirmButton
        label="Remove"
        of={person.name}
        look="subtle"
        danger
        title={`Take ${person.name} out of the team?`}
        confirm="Remove"
        run={remove}
      >
        <p>They no longer see this store. Keys they made go on working; revoke those that should not.</p>
      </ConfirmButton>
    </>
  );
}

function ChangeRole({ path, person }: { readonly path: string; readonly person: Colleague }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, path);
    setOpened(false);
  };
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={`Change role of ${person.name}`} onClick={() => setOpened(true)}>
        Change role
      </Button>
      <Dialog title={`The role of ${person.name}`} opened={opened} onClose={() => setOpened(false)}>
        <Form send={(values) => api.patch(`${path}/${person.user_id}`, { role: values.text('role') })} done={done} submit="Change">
          <SelectField
            name="role"
            label="Role"
            defaultValue={person.role}
            data={roles.map(([value, label]) => ({ value, label }))}
            data-autofocus
          />
        </Form>
      </Dialog>
    </>
  );
}
