import { useQueryClient } from '@tanstack/react-query';
import { useParams, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { api } from '../../api/client.ts';
import type { TeamMember } from '../../../../sdk/src/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { InvitationsSection } from '../access/invitations.tsx';
import { usePermission, roles } from '../access/permissions.tsx';
import { useRefreshSession } from '../../session/session.ts';
import { t } from './messages.ts';

export function Team() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const mayChange = usePermission(store)('team:write');
  return (
    <Page title={t.team.team} intro={t.team.people_who_work_on_this}>
      <Section title={t.team.members} flush>
        <ShortList
          caption={t.team.team}
          path={apiPath('/stores/{store}/team', { store })}
          keyOf={({ user_id: id }) => id}
          columns={columnsOf(store, mayChange)}
          empty={<EmptyState title={t.team.no_members_yet}>{t.team.this_store_was_created_through}</EmptyState>}
        />
      </Section>
      <InvitationsSection
        path={apiPath('/stores/{store}/invitations', { store })}
        pathOf={(invitation) => apiPath('/stores/{store}/invitations/{invitation}', { store, invitation })}
        withRole
        mayChange={mayChange}
      />
    </Page>
  );
}

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<TeamMember>> => [
  { title: t.team.name, cell: ({ name }) => <strong>{name}</strong> },
  { title: t.team.email, cell: ({ email }) => email },
  { title: t.team.role, cell: ({ role }) => <span className="sentence">{role}</span> },
  { title: t.team.since, cell: ({ since }) => <Time at={since} dateOnly /> },
  ...(mayChange
    ? [{ title: t.team.change, kind: 'actions' as const, cell: (person: TeamMember) => <MemberActions store={store} person={person} /> }]
    : []),
];

/** People who change their own role or leave the team have other permissions afterwards. */
function useRefreshAfterChange(store: string, { email }: TeamMember): () => Promise<void> {
  const client = useQueryClient();
  const { session } = useRouteContext({ from: '/signed-in' });
  const refreshSession = useRefreshSession();
  return async () => {
    if (email === session.email) await refreshSession();
    await refresh(client, apiPath('/stores/{store}/team', { store }));
  };
}

function MemberActions({ store, person }: { readonly store: string; readonly person: TeamMember }) {
  const refreshTeam = useRefreshAfterChange(store, person);
  const remove = async () => {
    await api.delete(apiPath('/stores/{store}/team/{user}', { store, user: person.user_id }));
    await refreshTeam();
  };
  return (
    <>
      <ChangeRoleButton store={store} person={person} />
      <ConfirmButton
        label={t.team.remove}
        subject={person.name}
        variant="subtle"
        danger
        title={t.team.remove_from_the_team({ name: person.name })}
        confirm={t.team.remove}
        run={remove}
      >
        <p>{t.team.they_lose_access_to_this}</p>
      </ConfirmButton>
    </>
  );
}

type Role = RequestBody<'/stores/{store}/team/{user}', 'patch'>['role'];

function ChangeRoleButton({ store, person }: { readonly store: string; readonly person: TeamMember }) {
  const [opened, setOpened] = useState(false);
  const changed = useRefreshAfterChange(store, person);
  const done = async () => {
    await changed();
    setOpened(false);
  };
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={t.team.change_role_of({ name: person.name })} onClick={() => setOpened(true)}>
        {t.team.change_role}
      </Button>
      <Dialog title={t.team.the_role_of({ name: person.name })} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values) =>
            api.patch(apiPath('/stores/{store}/team/{user}', { store, user: person.user_id }), { role: values.option<Role>('role') })
          }
          done={done}
          submit={t.team.change}
        >
          <SelectField
            name="role"
            label={t.team.role}
            defaultValue={person.role}
            data={roles.map(([value, label]) => ({ value, label }))}
            data-autofocus
          />
        </Form>
      </Dialog>
    </>
  );
}
