import { Alert } from '../../ui/alert.tsx';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { apiPath } from '../../api/operations.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { EmailStatusChip, type EmailStatus } from '../access/email-status-chip.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type StoreEmail = EmailStatus & {
  readonly id: string;
  readonly made_at: string;
  readonly to: string;
  readonly subject: string;
};

/** The emails sent for this store. Their content is not shown, because it may hold a link that makes its reader an owner. */
export function StoreEmails() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/mails' });
  const list = useList<'/stores/{store}/mails', object>({
    search,
    navigate: useNavigate({ from: '/stores/$store/mails' }),
    path: apiPath('/stores/{store}/mails', { store }),
    defaultSort: '-made_at',
    fields: [],
  });
  const newest = list.isFirstPage && search.sort === undefined ? list.rows[0] : undefined;
  return (
    <Page title={t.store_emails.emails} intro={t.store_emails.emails_about_this_store_such}>
      {newest?.state === 'kept' && <Alert color="yellow">{rich(t.store_emails.no_email_server_is_set, { b: <strong /> })}</Alert>}
      <Section title={t.store_emails.store_emails} bare flush>
        <ListView
          caption={t.store_emails.store_emails}
          list={list}
          keyOf={({ id }) => id}
          columns={columns}
          empty={<EmptyState title={t.store_emails.no_emails_yet}>{t.store_emails.invitations_invoices_applications}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<StoreEmail>> = [
  { title: t.store_emails.created, sort: 'made_at', priority: true, cell: ({ made_at: at }) => <Time at={at} /> },
  { title: t.store_emails.to, priority: true, cell: ({ to }) => to },
  { title: t.store_emails.subject, priority: true, cell: ({ subject }) => <strong>{subject}</strong> },
  { title: t.store_emails.state, priority: true, cell: (mail) => <EmailStatusChip email={mail} notSent={notSent} /> },
];

const notSent = { word: t.store_emails.not_sent, meaning: t.store_emails.no_email_server_is_set_2 };
