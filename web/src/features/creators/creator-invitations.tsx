import { toasts } from '../../ui/toasts.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ProgramInvitation } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath, type Output } from '../../api/operations.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import type { InvitationFilter } from '../stores/store-search-params.ts';
import { creatorInvitationsPath } from './creators-api.ts';
import styles from './creators.module.css';
import { t } from './messages.ts';

const emailsMax = 100;
const messageLengthMax = 1_000;

/** Invites creators by email, and lists what became of each invitation. */
export function CreatorInvitations() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const mayChange = usePermission(store)('programs:write');
  const list = useList<'/stores/{store}/creator-invitations', InvitationFilter>({
    search: useSearch({ from: '/signed-in/stores/$store/creator-invitations' }),
    navigate: useNavigate({ from: '/stores/$store/creator-invitations' }),
    path: creatorInvitationsPath(store),
    defaultSort: '-made_at',
    fields: [
      {
        type: 'select',
        name: 'status',
        label: t.creator_invitations.state,
        options: statuses.map((status) => [status, statusTexts[status][0]]),
      },
    ],
  });
  return (
    <Page
      title={t.creator_invitations.invitations}
      above={
        <TextLink to="/stores/$store/creators" params={{ store }}>
          {t.creator_invitations.creators}
        </TextLink>
      }
      intro={t.creator_invitations.invite_creators_to_a_program}
      actions={
        <>
          <ButtonLink variant="default" size="xs" to="/stores/$store/creator-imports" params={{ store }}>
            {t.creator_invitations.import_from_a_file}
          </ButtonLink>
          <ExportCsvButton path={list.exportPath} name="invitations.csv" />
        </>
      }
    >
      {mayChange && <InviteForm store={store} />}
      <Section title={t.creator_invitations.sent_invitations} flush>
        <ListView
          list={list}
          caption={t.creator_invitations.sent_invitations}
          columns={columnsOf(store, mayChange)}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title={t.creator_invitations.no_invitations_yet}>{t.creator_invitations.each_invitation_is_listed_here}</EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

type Results = Output<'/stores/{store}/creator-invitations', 'post'>;

function InviteForm({ store }: { readonly store: string }) {
  const client = useQueryClient();
  const all = useInfiniteQuery(programsQuery(store)).data?.pages.flatMap(({ data }) => data) ?? [];
  const published = all.filter(({ status }) => status === 'published');
  const send = (values: Values, key: string): Promise<Results> => {
    const emails = values
      .text('emails')
      .split(/[\s,;]+/)
      .filter((email) => email !== '');
    if (emails.length > emailsMax) throw fieldError('emails', t.creator_invitations.has_more_than_addresses({ most: emailsMax }));
    const message = values.text('message');
    const body = { program_id: values.text('program_id'), emails, message: message === '' ? null : message };
    return api.post(creatorInvitationsPath(store), body, key);
  };
  const done = async ({ results }: Results) => {
    const sent = results.filter(({ outcome }) => outcome === 'invited').length;
    toasts.show({ message: t.creator_invitations.invitations_sent_addresses_skipped({ sent, skipped: results.length - sent }) });
    await refresh(client, creatorInvitationsPath(store));
  };
  if (published.length === 0)
    return (
      <Section title={t.creator_invitations.invite_by_email}>
        {t.creator_invitations.publish_a_program_first_creators}{' '}
        <TextLink to="/stores/$store/programs" params={{ store }}>
          {t.creator_invitations.view_programs}
        </TextLink>
      </Section>
    );
  return (
    <Section title={t.creator_invitations.invite_by_email} intro={t.creator_invitations.people_without_an_account_get}>
      <Form send={send} done={done} clears submit={t.creator_invitations.send_invitations}>
        <SelectField
          name="program_id"
          label={t.creator_invitations.program}
          data={published.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <div data-errors-for="emails">
          <TextAreaField
            name="emails"
            label={t.creator_invitations.email_addresses}
            description={t.creator_invitations.up_to_separated_by_commas({ most: emailsMax })}
            rows={2}
          />
        </div>
        <TextAreaField
          name="message"
          label={t.creator_invitations.message}
          description={t.creator_invitations.added_to_the_email_as}
          maxLength={messageLengthMax}
          optional
          rows={2}
        />
      </Form>
    </Section>
  );
}

type Status = ProgramInvitation['status'];
const statuses: readonly Status[] = ['open', 'expired', 'accepted', 'declined', 'revoked'];
const statusTexts: StatusTexts<Status> = {
  open: [t.creator_invitations.open, 'wait', t.creator_invitations.sent_and_not_answered_yet],
  expired: [t.creator_invitations.expired, 'neutral', t.creator_invitations.not_answered_in_time_you],
  accepted: [t.creator_invitations.accepted, 'good', t.creator_invitations.the_creator_is_an_approved],
  declined: [t.creator_invitations.declined, 'neutral', t.creator_invitations.the_creator_declined_the_invitatio],
  revoked: [t.creator_invitations.revoked, 'neutral', t.creator_invitations.you_revoked_the_invitation_it],
};
const deliveryTexts: StatusTexts<'failed' | 'kept'> = {
  failed: [t.creator_invitations.not_delivered, 'bad', t.creator_invitations.the_mail_server_rejected_the],
  kept: [t.creator_invitations.not_sent, 'wait', t.creator_invitations.this_installation_has_no_mail],
};

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<ProgramInvitation>> => [
  {
    title: t.creator_invitations.email,
    kind: 'name',
    sort: 'email',
    priority: true,
    cell: ({ email, name, creator_id: creator }) =>
      creator === null ? (
        <span title={name ?? undefined}>{email}</span>
      ) : (
        <TextLink to="/stores/$store/creators/$creator" params={{ store, creator }}>
          {email}
        </TextLink>
      ),
  },
  { title: t.creator_invitations.program, cell: ({ program_name: name }) => name },
  {
    title: t.creator_invitations.state,
    priority: true,
    cell: ({ status, delivery }) => (
      <span className={styles.chips}>
        <StatusChip texts={statusTexts} state={status} />
        {status === 'open' && (delivery === 'failed' || delivery === 'kept') && <StatusChip texts={deliveryTexts} state={delivery} />}
      </span>
    ),
  },
  { title: t.creator_invitations.sent, sort: 'sent_at', priority: true, cell: ({ sent_at: at }) => <Time at={at} /> },
  { title: t.creator_invitations.expires, sort: 'expires_at', cell: ({ expires_at: at }) => <Time at={at} dateOnly /> },
  ...(mayChange
    ? [
        {
          title: t.creator_invitations.change,
          kind: 'actions' as const,
          cell: (invitation: ProgramInvitation) => <InvitationActions store={store} invitation={invitation} />,
        },
      ]
    : []),
];

function InvitationActions({
  store,
  invitation: { id, email, status },
}: {
  readonly store: string;
  readonly invitation: ProgramInvitation;
}) {
  const client = useQueryClient();
  const params = { store, invitation: id };
  const run = (request: () => Promise<unknown>) => async () => {
    await request();
    await refresh(client, creatorInvitationsPath(store));
  };
  if (status !== 'open' && status !== 'expired') return null;
  return (
    <>
      <ConfirmButton
        variant="subtle"
        label={t.creator_invitations.send_again}
        subject={email}
        title={t.creator_invitations.send_this_invitation_again}
        confirm={t.creator_invitations.send_again}
        run={run(() => api.post(apiPath('/stores/{store}/creator-invitations/{invitation}/resend', params)))}
      >
        <p>{t.creator_invitations.the_creator_gets_another_email}</p>
      </ConfirmButton>
      <ConfirmButton
        variant="subtle"
        danger
        label={t.creator_invitations.revoke}
        subject={email}
        title={t.creator_invitations.revoke_this_invitation}
        confirm={t.creator_invitations.revoke}
        run={run(() => api.delete(apiPath('/stores/{store}/creator-invitations/{invitation}', params)))}
      >
        <p>{t.creator_invitations.it_can_no_longer_be}</p>
      </ConfirmButton>
    </>
  );
}
