import { useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Invitation } from '../../api/api-schema.ts';
import type { PathTo } from '../../api/operations.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { roles } from './permissions.tsx';

type InvitationsPath = '/operator-invitations' | '/stores/{store}/invitations';
type InvitationsProps = {
  readonly path: PathTo<InvitationsPath>;
  readonly pathOf: (invitation: string) => PathTo<`${InvitationsPath}/{invitation}`>;
  readonly withRole: boolean;
  readonly mayChange: boolean;
};

/** Invitations that are not accepted yet. */
export function InvitationsSection({ path, pathOf, withRole, mayChange }: InvitationsProps) {
  return (
    <Section
      title="Open invitations"
      intro="Each link works once, for seven days."
      flush
      actions={mayChange && <InviteButton path={path} withRole={withRole} />}
    >
      <ShortList
        caption="Open invitations"
        path={path}
        keyOf={({ id }) => id}
        columns={columnsOf({ path, pathOf, withRole, mayChange })}
        empty={<EmptyState title="No open invitations">Invite a person by email. They get a link to join.</EmptyState>}
      />
    </Section>
  );
}

function InviteButton({ path, withRole }: Pick<InvitationsProps, 'path' | 'withRole'>) {
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
        Invite person
      </Button>
      <Dialog title="Invite person" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post(path, { email: values.text('email'), ...(withRole && { role: values.option('role') }) }, key)}
          done={done}
          submit="Send invitation"
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

const columnsOf = ({ path, pathOf, withRole, mayChange }: InvitationsProps): ReadonlyArray<Column<Invitation>> => [
  { title: 'E-mail', cell: ({ email }) => <strong>{email}</strong> },
  ...(withRole ? [{ title: 'Role', cell: ({ role }: Invitation) => role }] : []),
  { title: 'Invited', cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Works until', cell: ({ expires_at: at }) => <Time at={at} /> },
  ...(mayChange
    ? [
        {
          title: 'Change',
          kind: 'actions' as const,
          cell: (one: Invitation) => <WithdrawButton path={path} pathOf={pathOf} invitation={one} />,
        },
      ]
    : []),
];

type WithdrawProps = Pick<InvitationsProps, 'path' | 'pathOf'> & { readonly invitation: Invitation };

function WithdrawButton({ path, pathOf, invitation: { id, email } }: WithdrawProps) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(pathOf(id));
    await refresh(client, path);
  };
  return (
    <ConfirmButton
      label="Withdraw"
      subject={`the invitation of ${email}`}
      variant="subtle"
      danger
      title="Withdraw this invitation?"
      confirm="Withdraw it"
      run={run}
    >
      <p>The link that {email} got stops working. You can invite them again.</p>
    </ConfirmButton>
  );
}
