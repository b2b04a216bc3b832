import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { MailChip } from '../people/mail-chip.tsx';
import type { Mail } from './mails-api.ts';
import styles from './operator.module.css';

/** What was written to people. In the sandbox without a mail server this is how links reach them. */
export function Mails() {
  return (
    <Page
      title="Mails"
      intro="What was written to people. In the sandbox without a mail server the mails stay here, and you hand their links on. Everywhere else links are removed."
    >
      <Section title="Outbox" bare flush>
        <PagedTable
          caption="Mails"
          list={listing<Mail>('/mails')}
          keyOf={({ id }) => id}
          columns={columns}
          empty={<Empty title="No mail yet">Sign-ups, invitations and forgotten passwords write one.</Empty>}
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Mail>> = [
  { title: 'Written', cell: ({ made_at: at }) => <Time at={at} /> },
  { title: 'To', cell: ({ to }) => to },
  {
    title: 'Subject',
    cell: (mail) => (
      <>
        <TextLink to="/operator/mails/$mail" params={{ mail: mail.id }} fw={600}>
          {mail.subject}
        </TextLink>
        {isStuck(mail) && <div className={styles.error}>Not sent: {mail.last_error}</div>}
      </>
    ),
  },
  { title: 'State', cell: (mail) => <MailChip mail={mail} kept={kept} /> },
];

/** What keeps a mail from being sent is read without pointing at anything. */
const isStuck = ({ state, last_error: error }: Mail): boolean => error !== null && (state === 'waiting' || state === 'failed');

const kept = { word: 'Kept', meaning: 'No mail server is set, so it was not sent.' };
