import { useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { api } from '../api.ts';
import { ConfirmButton, Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { listing, refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { roles } from './scopes.ts';

type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: string | null;
  readonly made_at: string;
  readonly expires_at: string;
};

type InvitationsProps = { readonly path: string; readonly withRole: boolean; readonly mayChange: boolean };

/** Who was invited and has not come yet. */
export function Invitations({ path, withRole, mayChange }: InvitationsProps) {
  return (
    <Section
      title="Open invitations"
      intro="Each link works once, for seven days."
      flush
      actions={mayChange && <Invite path={path} withRole={withRole} />}
    >
      <PagedTable
        caption="Open invitations"
        list={listing<Invitation>(path)}
        keyOf={({ id }) => id}
        columns={columnsOf({ path, withRole, mayChange })}
        empty={<Empty title="No open invitation">Invite somebody by e-mail; they get a link to join.</Empty>}
      />
    </Section>
  );
}

function Invite({ path, withRole }: { readonly path: string; readonly withRole: boolean }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async ({ email }: Invitation) => {
    await refresh(client, path);
    setOpened(false);
    notifications.show({ message: `A link is on its way to ${email}.` });
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Invite somebody
      </Button>
      <Dialog title="Invite somebody" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) =>
            api.post<Invitation>(path, { email: values.text('email'), ...(withRole && { role: values.text('role') }) }, key)
          }
          done={done}
          submit="Send the invitation"
        >
          <TextField name="email" label="E-mail" type="email" autoComplete="off" data-autofocus />
          {withRole && (
            <SelectField name="role" label="Role" defaultValue="viewer" data={roles.map(([value, label]) => ({ value, label }))} />
          )}
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = ({ path, withRole, mayChange }: InvitationsProps): ReadonlyArray<Column<Invitation>> => [
  { title: 'E-mail', cell: ({ email }) => <strong>{email}</strong> },
  ...(withRole ? [{ title: 'Role', cell: ({ role }: Invitation) => role }] : []),
  { title: 'Invited', cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Works until', cell: ({ expires_at: at }) => <Time at={at} /> },
  ...(mayChange
    ? [{ title: 'Change', kind: 'actions' as const, cell: (one: Invitation) => <Withdraw path={path} invitation={one} /> }]
    : []),
];

function Withdraw({ path, invitation: { id, email } }: { readonly path: string; readonly invitation: Invitation }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(`${path}/${id}`);
    await refresh(client, path);
  };
  return (
    <ConfirmButton
      label="Withdraw"
      of={`the invitation of ${email}`}
      look="subtle"
      danger
      title="Withdraw this invitation?"
      confirm="Withdraw it"
      run={run}
    >
      <p>The link that {email} got stops working. You can invite them again.</p>
    </ConfirmButton>
  );
}
