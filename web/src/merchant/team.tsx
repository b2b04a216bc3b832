import { useQueryClient } from '@tanstack/react-query';
import { useParams, useRouteContext } from '@tanstack/react-router';
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
import { useRereadSession } from '../shell/reread-session.ts';
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

/** Whoever changes their own role, or leaves, may something else from then on. */
function useChanged(path: string, { email }: Colleague): () => Promise<void> {
  const client = useQueryClient();
  const { session } = useRouteContext({ from: '/inside' });
  const reread = useRereadSession();
  return async () => {
    if (email === session.email) await reread();
    await refresh(client, path);
  };
}

function Changes({ path, person }: { readonly path: string; readonly person: Colleague }) {
  const changed = useChanged(path, person);
  const remove = async () => {
    await api.delete(`${path}/${person.user_id}`);
    await changed();
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
        <p>They no longer see this store. API keys they made for it end too: a program that uses one stops, until it is given another.</p>
      </ConfirmButton>
    </>
  );
}

function ChangeRole({ path, person }: { readonly path: string; readonly person: Colleague }) {
  const [opened, setOpened] = useState(false);
  const changed = useChanged(path, person);
  const done = async () => {
    await changed();
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
