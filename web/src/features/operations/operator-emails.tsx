import { TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiListQuery } from '../../ui/queries.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { EmailStatusChip } from '../access/email-status-chip.tsx';
import type { Email } from './emails-api.ts';
import styles from './operator.module.css';

/** The emails to people. In the sandbox without a mail server, operators pass their links on. */
export function OperatorEmails() {
  return (
    <Page
      title="Mails"
      intro="What was written to people. In the sandbox without a mail server the mails stay here, and you hand their links on. Everywhere else links are removed."
    >
      <Section title="Outbox" bare flush>
        <PagedTable
          caption="Mails"
          list={apiListQuery<Email>('/mails')}
          keyOf={({ id }) => id}
          columns={columns}
          empty={<EmptyState title="No mail yet">Sign-ups, invitations and forgotten passwords write one.</EmptyState>}
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Email>> = [
  { title: 'Written', cell: ({ made_at: at }) => <Time at={at} /> },
  { title: 'To', cell: ({ to }) => to },
  {
    title: 'Subject',
    cell: (mail) => (
      <>
        <TextLink to="/operator/mails/$emailId" params={{ emailId: mail.id }} fw={600}>
          {mail.subject}
        </TextLink>
        {isStuck(mail) && <div className={styles.error}>Not sent: {mail.last_error}</div>}
      </>
    ),
  },
  { title: 'State', cell: (mail) => <EmailStatusChip email={mail} notSent={notSent} /> },
];

/** The error is shown without hovering. */
const isStuck = ({ state, last_error: error }: Email): boolean => error !== null && (state === 'waiting' || state === 'failed');

const notSent = { word: 'Kept', meaning: 'No mail server is set, so it was not sent.' };
