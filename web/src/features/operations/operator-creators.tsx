import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Creator } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { useReadOnly } from '../../ui/read-only.ts';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './operator-creators.module.css';

export function OperatorCreators() {
  const list = useList<'/creators', object>({
    search: useSearch({ from: '/signed-in/operator/creators' }),
    navigate: useNavigate({ from: '/operator/creators' }),
    path: '/creators',
    fields: [],
  });
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, '/creators');
    setOpened(false);
  };
  return (
    <Page
      title="Creators"
      intro="Who spreads links and is paid for sales."
      actions={<Button onClick={() => setOpened(true)}>Create a creator</Button>}
    >
      <Section title="All creators" bare flush>
        <ListView
          list={list}
          caption="Creators"
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <EmptyState title="No creator yet">
              Create one with name and e-mail, invite the person, and give their creator ID to the merchants who want to work with them.
            </EmptyState>
          }
        />
      </Section>
      <Dialog title="Create a creator" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post('/creators', { name: values.text('name'), email: values.text('email') }, key)}
          done={done}
          submit="Create"
        >
          <TextField name="name" label="Name" description="As merchants will see it." maxLength={200} data-autofocus />
          <TextField name="email" label="E-mail" type="email" autoComplete="off" />
        </Form>
      </Dialog>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Creator>> = [
  {
    title: 'Name',
    cell: ({ id, name, email }) => (
      <>
        <TextLink to="/operator/creators/$creatorId" params={{ creatorId: id }} fw={600}>
          {name}
        </TextLink>
        <div className={styles.email}>{email}</div>
      </>
    ),
  },
  {
    title: 'Creator ID',
    cell: ({ id, name }) => (
      <span className={styles.id}>
        <span className="mono">{id}</span>
        <CopyIcon value={id} label={`the ID of ${name}`} />
      </span>
    ),
  },
  { title: 'State', cell: ({ status }) => <CreatorStatusChip status={status} /> },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Change', kind: 'actions', cell: (creator) => <CreatorActions creator={creator} /> },
];

export const CreatorStatusChip = ({ status }: Pick<Creator, 'status'>) =>
  status === 'active' ? (
    <Chip label="Active" tone="good" meaning="Earns, and is paid." />
  ) : (
    <Chip label="Suspended" tone="bad" meaning="Nothing is paid out, and new commissions are held." />
  );

export function CreatorActions({ creator: { id, name, email, status } }: { readonly creator: Creator }) {
  const client = useQueryClient();
  const unsuspend = async () => {
    await api.post(apiPath('/creators/{creator}/unsuspend', { creator: id }));
    await refresh(client, '/creators');
  };
  const invite = async () => {
    await api.post(apiPath('/creators/{creator}/invitations', { creator: id }), { email });
    notifications.show({ message: `A link is on its way to ${email}.` });
  };
  return (
    <>
      <ConfirmButton label="Invite" subject={name} variant="subtle" title={`Invite ${name}?`} confirm="Send the invitation" run={invite}>
        <p>
          A link goes to <strong>{email}</strong>. Whoever opens it can sign in as this creator.
        </p>
      </ConfirmButton>
      {status === 'active' ? (
        <SuspendButton key="suspend" id={id} name={name} />
      ) : (
        <ConfirmButton
          key="unsuspend"
          label="End suspension"
          subject={name}
          variant="subtle"
          title={`End the suspension of ${name}?`}
          confirm="End it"
          run={unsuspend}
        >
          <p>They are paid again, and get an email. Held commissions are released one by one.</p>
        </ConfirmButton>
      )}
    </>
  );
}

/** The creator gets the reason, in an email and in the portal; the note is for operators. */
function SuspendButton({ id, name }: { readonly id: string; readonly name: string }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const send = (values: Values) => {
    const [reason, note] = [values.text('reason'), values.text('note')];
    return api.post(apiPath('/creators/{creator}/suspend', { creator: id }), {
      ...(reason !== '' && { reason }),
      ...(note !== '' && { note }),
    });
  };
  const done = async () => {
    await refresh(client, '/creators');
    setOpened(false);
  };
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        color="red"
        aria-label={`Suspend ${name}`}
        disabled={useReadOnly()}
        onClick={() => setOpened(true)}
      >
        Suspend
      </Button>
      <Dialog title={`Suspend ${name}?`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={send}
          done={done}
          submit="Suspend"
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          <p style={{ margin: 0 }}>
            Nothing is paid out to them, and new commissions are held until you end the suspension. What they earned stays theirs.
          </p>
          <TextField
            name="reason"
            label="Reason"
            description="The creator reads it, in an email and in their portal."
            maxLength={500}
            optional
            data-autofocus
          />
          <TextAreaField name="note" label="Note" description="Only operators read it." maxLength={2000} optional />
        </Form>
      </Dialog>
    </>
  );
}
