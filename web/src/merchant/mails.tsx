import { Alert } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Icon } from '../parts/icons.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { MailChip, type MailStanding } from '../people/mail-chip.tsx';

type StoreMail = MailStanding & {
  readonly id: string;
  readonly made_at: string;
  readonly to: string;
  readonly subject: string;
};

/** Who was written to for this store. What a mail says is not shown: it may hold a link by which somebody becomes an owner. */
export function StoreMails() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const list = listing<StoreMail>(`/stores/${store}/mails`);
  const newest = useInfiniteQuery(list).data?.pages[0]?.data[0];
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
        <PagedTable
          caption="Mails of the store"
          list={list}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Empty title="No mail yet">
              Invitations, bills, applications, objections and webhook endpoints that take nothing write one.
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<StoreMail>> = [
  { title: 'Written', cell: ({ made_at: at }) => <Time at={at} /> },
  { title: 'To', cell: ({ to }) => to },
  { title: 'Subject', cell: ({ subject }) => <strong>{subject}</strong> },
  { title: 'State', cell: (mail) => <MailChip mail={mail} kept={kept} /> },
];

const kept = { word: 'Not sent', meaning: 'No mail server is set. Whoever runs this installation can read it out to you.' };
