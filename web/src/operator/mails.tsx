import { Chip } from '../parts/chip.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { Mail } from './mails-api.ts';
import styles from './operator.module.css';

/** Where no mail server is set, the mails stay here, and this is how links reach people. */
export function Mails() {
  return (
    <Page title="Mails" intro="What was written to people. Without a mail server the mails stay here, and you hand the links on yourself.">
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
  { title: 'State', cell: (mail) => <MailChip mail={mail} /> },
];

/** What keeps a mail from being sent is read without pointing at anything. */
const isStuck = ({ state, last_error: error }: Mail): boolean => error !== null && (state === 'waiting' || state === 'failed');

function MailChip({ mail: { state, last_error: error } }: { readonly mail: Mail }) {
  switch (state) {
    case 'waiting':
      return (
        <Chip
          word="Waiting"
          tone="wait"
          meaning={error === null ? 'It is about to be sent.' : `It is tried again. The last try: ${error}`}
        />
      );
    case 'sent':
      return <Chip word="Sent" tone="good" meaning="The mail server took it." />;
    case 'failed':
      return <Chip word="Failed" tone="bad" meaning={`It was given up. The last try: ${error ?? 'no reason was given'}`} />;
    case 'kept':
      return <Chip word="Kept" tone="calm" meaning="No mail server is set: it stays here for you to open." />;
  }
}
