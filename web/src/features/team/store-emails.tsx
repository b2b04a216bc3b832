import { Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { apiPath } from '../../api/operations.ts';
import { Icon } from '../../ui/icons.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { EmailStatusChip, type EmailStatus } from '../access/email-status-chip.tsx';

type StoreEmail = EmailStatus & {
  readonly id: string;
  readonly made_at: string;
  readonly to: string;
  readonly subject: string;
};

/** The emails sent for this store. Their content is not shown, because it may hold a link that makes its reader an owner. */
export function StoreEmails() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const list = useShortList(apiPath('/stores/{store}/mails', { store }));
  const newest = list.isFirstPage ? list.rows[0] : undefined;
  return (
    <Page
      title="Mails"
      intro="What was written for this store: bills, invitations, decisions, warnings. Here stands to whom, about what, and how it went."
    >
      {newest?.state === 'kept' && (
        <Alert variant="outline" color="yellow" icon={<Icon name="alert" />} mb="md">
          <strong>No mail server is set: mails stand here.</strong> Nothing reaches anybody by mail. Whoever runs this installation can read
          each mail and hand its link on, and sets a mail server.
        </Alert>
      )}
      <Section title="Mails of the store" bare flush>
        <ListView
          caption="Mails of the store"
          list={list}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <EmptyState title="No mail yet">
              Invitations, bills, applications, objections and webhook endpoints that take nothing write one.
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<StoreEmail>> = [
  { title: 'Written', cell: ({ made_at: at }) => <Time at={at} /> },
  { title: 'To', cell: ({ to }) => to },
  { title: 'Subject', cell: ({ subject }) => <strong>{subject}</strong> },
  { title: 'State', cell: (mail) => <EmailStatusChip email={mail} notSent={notSent} /> },
];

const notSent = { word: 'Not sent', meaning: 'No mail server is set. Whoever runs this installation can read it out to you.' };
