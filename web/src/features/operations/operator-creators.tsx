import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Creator } from '../../../../sdk/src/api-schema.ts';
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
import type { SearchParam } from '../../ui/search-params.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './operator-creators.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

const searchLengthMax = 100;

export function OperatorCreators() {
  const list = useList<'/creators', SearchParam>({
    search: useSearch({ from: '/signed-in/operator/creators' }),
    navigate: useNavigate({ from: '/operator/creators' }),
    path: '/creators',
    defaultSort: '-created_at',
    fields: [{ type: 'search', name: 'q', label: t.operator_creators.name_email_or_id, lengthMax: searchLengthMax }],
  });
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, '/creators');
    setOpened(false);
  };
  return (
    <Page
      title={t.operator_creators.creators}
      intro={t.operator_creators.people_who_share_links_and}
      actions={<Button onClick={() => setOpened(true)}>{t.operator_creators.create_creator}</Button>}
    >
      <Section title={t.operator_creators.all_creators} bare flush>
        <ListView
          list={list}
          caption={t.operator_creators.creators}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            list.isFiltered ? (
              <EmptyState title={t.operator_creators.no_creators_match}>{t.operator_creators.search_by_any_part_of}</EmptyState>
            ) : (
              <EmptyState title={t.operator_creators.no_creators_yet}>{t.operator_creators.create_a_creator_with_name}</EmptyState>
            )
          }
        />
      </Section>
      <Dialog title={t.operator_creators.create_creator} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post('/creators', { name: values.text('name'), email: values.text('email') }, key)}
          done={done}
          submit={t.operator_creators.create}
        >
          <TextField
            name="name"
            label={t.operator_creators.name}
            description={t.operator_creators.shown_to_merchants}
            maxLength={200}
            data-autofocus
          />
          <TextField name="email" label={t.operator_creators.email} type="email" autoComplete="off" />
        </Form>
      </Dialog>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Creator>> = [
  {
    title: t.operator_creators.name,
    sort: 'name',
    sortsUpward: true,
    priority: true,
    cell: ({ id, name, email }) => (
      <>
        <TextLink to="/operator/creators/$creatorId" params={{ creatorId: id }} className="strong">
          {name}
        </TextLink>
        <div className={styles.email}>{email}</div>
      </>
    ),
  },
  {
    title: t.operator_creators.creator_id,
    cell: ({ id, name }) => (
      <span className={styles.id}>
        <span className="mono">{id}</span>
        <CopyIcon value={id} label={t.operator_creators.the_id_of({ name })} />
      </span>
    ),
  },
  { title: t.operator_creators.state, priority: true, cell: ({ status }) => <CreatorStatusChip status={status} /> },
  { title: t.operator_creators.created, sort: 'created_at', priority: true, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
  { title: t.operator_creators.change, kind: 'actions', cell: (creator) => <CreatorActions creator={creator} /> },
];

export const CreatorStatusChip = ({ status }: Pick<Creator, 'status'>) =>
  status === 'active' ? (
    <Chip label={t.operator_creators.active} tone="good" meaning={t.operator_creators.earns_commissions_and_is_paid} />
  ) : (
    <Chip label={t.operator_creators.suspended} tone="bad" meaning={t.operator_creators.payouts_are_stopped_and_new} />
  );

export function CreatorActions({ creator: { id, name, email, status } }: { readonly creator: Creator }) {
  const client = useQueryClient();
  const unsuspend = async () => {
    await api.post(apiPath('/creators/{creator}/unsuspend', { creator: id }));
    await refresh(client, '/creators');
  };
  const invite = async () => {
    await api.post(apiPath('/creators/{creator}/invitations', { creator: id }), { email });
    toasts.show({ message: t.operator_creators.invitation_sent_to({ email }) });
  };
  return (
    <>
      <ConfirmButton
        label={t.operator_creators.invite}
        subject={name}
        variant="subtle"
        title={t.operator_creators.invite_2({ name })}
        confirm={t.operator_creators.send_invitation}
        run={invite}
      >
        <p>{rich(t.operator_creators.we_send_a_link_to, { b: <strong>{email}</strong> })}</p>
      </ConfirmButton>
      {status === 'active' ? (
        <SuspendButton key="suspend" id={id} name={name} />
      ) : (
        <ConfirmButton
          key="unsuspend"
          label={t.operator_creators.end_suspension}
          subject={name}
          variant="subtle"
          title={t.operator_creators.end_the_suspension_of({ name })}
          confirm={t.operator_creators.end_suspension_2}
          run={unsuspend}
        >
          <p>{t.operator_creators.payouts_resume_and_the_creator}</p>
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
        aria-label={t.operator_creators.suspend({ name })}
        disabled={useReadOnly()}
        onClick={() => setOpened(true)}
      >
        {t.operator_creators.suspend_2}
      </Button>
      <Dialog title={t.operator_creators.suspend_3({ name })} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={send}
          done={done}
          submit={t.operator_creators.suspend_2}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              {t.operator_creators.cancel}
            </Button>
          }
        >
          <p style={{ margin: 0 }}>{t.operator_creators.payouts_stop_and_new_commissions}</p>
          <TextField
            name="reason"
            label={t.operator_creators.reason}
            description={t.operator_creators.the_creator_sees_it_in}
            maxLength={500}
            optional
            data-autofocus
          />
          <TextAreaField
            name="note"
            label={t.operator_creators.note}
            description={t.operator_creators.only_operators_see_it}
            maxLength={2000}
            optional
          />
        </Form>
      </Dialog>
    </>
  );
}
