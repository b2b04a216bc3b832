import { Alert } from '../../ui/alert.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Email } from '../../../../sdk/src/api-schema.ts';
import { CopyableValue, CopyIcon } from '../../ui/copy.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { type Column, LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { EmailStatusChip } from '../access/email-status-chip.tsx';
import { emailQuery } from './emails-api.ts';
import emailStyles from './operator-email.module.css';
import styles from './operator.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The emails to people. In the sandbox without a mail server, operators pass their links on. */
export function OperatorEmails() {
  const list = useList<'/mails', object>({
    search: useSearch({ from: '/signed-in/operator/mails' }),
    navigate: useNavigate({ from: '/operator/mails' }),
    path: '/mails',
    defaultSort: '-made_at',
    fields: [],
  });
  return (
    <Page title={t.operator_emails.emails} intro={t.operator_emails.emails_sent_to_people_in}>
      <Section title={t.operator_emails.outbox} bare flush>
        <ListView
          list={list}
          caption={t.operator_emails.emails}
          keyOf={({ id }) => id}
          columns={columns}
          empty={<EmptyState title={t.operator_emails.no_emails_yet}>{t.operator_emails.sign_ups_invitations_and_password}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Email>> = [
  { title: t.operator_emails.created, sort: 'made_at', priority: true, cell: ({ made_at: at }) => <Time at={at} /> },
  { title: t.operator_emails.to, priority: true, cell: ({ to }) => to },
  {
    title: t.operator_emails.subject,
    priority: true,
    cell: (mail) => (
      <>
        <TextLink to="/operator/mails/$emailId" params={{ emailId: mail.id }} className="strong">
          {mail.subject}
        </TextLink>
        {isStuck(mail) && <div className={styles.error}>{t.operator_emails.not_sent({ lastError: mail.last_error ?? '' })}</div>}
      </>
    ),
  },
  { title: t.operator_emails.state, priority: true, cell: (mail) => <EmailStatusChip email={mail} notSent={notSent} /> },
];

/** The error is shown without hovering. */
const isStuck = ({ state, last_error: error }: Email): boolean => error !== null && (state === 'waiting' || state === 'failed');

const notSent = { word: t.operator_emails.stored, meaning: t.operator_emails.no_email_server_is_set };

/** One email with its content. The service asks for a recent proof, and the audit log records who reads it. */
export function OperatorEmail() {
  const { emailId: id } = useParams({ from: '/signed-in/operator/mails/$emailId' });
  const mail = useQuery({ ...emailQuery(id), gcTime: 0 });
  const above = <TextLink to="/operator/mails">{t.operator_emails.emails}</TextLink>;
  if (mail.isPending) return <Page title={t.operator_emails.email} narrow above={above} children={<LoadingSkeleton />} />;
  if (mail.isError)
    return (
      <Page
        title={t.operator_emails.email}
        narrow
        above={above}
        children={<ErrorAlert error={mail.error} onRetry={() => void mail.refetch()} />}
      />
    );
  return (
    <Page title={mail.data.subject} narrow above={above}>
      <Section title={t.operator_emails.email}>
        <DescriptionList
          items={[
            [t.operator_emails.to, mail.data.to],
            [t.operator_emails.created, <Time key="w" at={mail.data.made_at} />],
          ]}
        />
        <OneTimeLinkNote text={mail.data.text} isRemoved={mail.data.link_removed} />
        <div className={emailStyles.text}>
          <LinkedText text={mail.data.text} />
        </div>
      </Section>
    </Page>
  );
}

type OneTimeLinkNoteProps = { readonly text: string; readonly isRemoved: boolean };

/** Without a mail server in the sandbox, operators pass the link on. */
function OneTimeLinkNote({ text, isRemoved }: OneTimeLinkNoteProps) {
  const link = /https?:\/\/\S+\/link(?:\?\S+)?#[\w-]{43}/.exec(text)?.[0];
  if (isRemoved) return <Alert title={t.operator_emails.link_hidden}>{t.operator_emails.one_time_links_are_for}</Alert>;
  if (link === undefined) return null;
  return (
    <Alert color="yellow">
      <p className={emailStyles.notice}>{rich(t.operator_emails.pass_on_this_link_no, { b: <strong /> })}</p>
      <CopyableValue value={link} label={t.operator_emails.the_link} />
    </Alert>
  );
}

/** The text as sent, with links. */
function LinkedText({ text }: { readonly text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      <Fragment key={index}>
        <a href={part}>{part}</a>
        <CopyIcon value={part} label={t.operator_emails.the_link} />
      </Fragment>
    ) : (
      part
    ),
  );
}
