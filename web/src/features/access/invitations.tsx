import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Invitation } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';

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
      title={t.invitations.pending_invitations}
      intro={t.invitations.each_link_works_once_and}
      flush
      actions={mayChange && <InviteButton path={path} withRole={withRole} />}
    >
      <ShortList
        caption={t.invitations.pending_invitations}
        path={path}
        keyOf={({ id }) => id}
        columns={columnsOf({ path, pathOf, withRole, mayChange })}
        empty={<EmptyState title={t.invitations.no_pending_invitations}>{t.invitations.invite_a_person_by_email}</EmptyState>}
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
    toasts.show({ message: t.invitations.invitation_sent_to({ email }) });
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {t.invitations.invite_person}
      </Button>
      <Dialog title={t.invitations.invite_person} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post(path, { email: values.text('email'), ...(withRole && { role: values.option('role') }) }, key)}
          done={done}
          submit={t.invitations.send_invitation}
        >
          <TextField name="email" label={t.invitations.email} type="email" autoComplete="off" data-autofocus />
          {withRole && (
            <SelectField
              name="role"
              label={t.invitations.role}
              defaultValue="viewer"
              data={roles.map(([value, label]) => ({ value, label }))}
            />
          )}
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = ({ path, pathOf, withRole, mayChange }: InvitationsProps): ReadonlyArray<Column<Invitation>> => [
  { title: t.invitations.email, cell: ({ email }) => <strong>{email}</strong> },
  ...(withRole ? [{ title: t.invitations.role, cell: ({ role }: Invitation) => role }] : []),
  { title: t.invitations.invited, cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: t.invitations.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
  ...(mayChange
    ? [
        {
          title: t.invitations.change,
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
      label={t.invitations.revoke}
      subject={t.invitations.invitation_for({ email })}
      variant="subtle"
      danger
      title={t.invitations.revoke_this_invitation}
      confirm={t.invitations.revoke_invitation}
      run={run}
    >
      <p>{t.invitations.the_link_sent_to_stops({ email })}</p>
    </ConfirmButton>
  );
}
