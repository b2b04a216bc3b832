import { Button } from '../../ui/button.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import type { InboxEntry } from '../../../../sdk/src/api-schema.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { inboxPath } from './inbox-api.ts';
import styles from './notifications.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The person's notifications: the emails to them, except those with a one-time link. */
export function Notifications() {
  const list = useList<'/profile/notifications', object>({
    search: useSearch({ from: '/signed-in/notifications' }),
    navigate: useNavigate({ from: '/notifications' }),
    path: inboxPath,
    fields: [],
  });
  const client = useQueryClient();
  const read = useMutation({
    mutationFn: async ({ entry, older }: { readonly entry: InboxEntry; readonly older: boolean }) => {
      await api.post(apiPath('/profile/notifications/{notification}/read', { notification: entry.id }), { older });
      await refresh(client, inboxPath);
    },
  });
  const [newest] = list.rows;
  const hasUnread = list.rows.some((entry) => entry.read_at === null);
  return (
    <Page
      title={t.notifications.notifications}
      intro={rich(t.notifications.intro, { link: <TextLink to="/account" /> })}
      actions={
        newest !== undefined &&
        hasUnread &&
        list.isFirstPage && (
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate({ entry: newest, older: true })}>
            {t.notifications.mark_all_as_read}
          </Button>
        )
      }
    >
      <ErrorAlert error={read.error} />
      <Section title={t.notifications.notifications} bare flush>
        <ListView
          list={list}
          caption={t.notifications.notifications}
          columns={columnsOf((entry) => read.mutate({ entry, older: false }))}
          keyOf={({ id }) => id}
          empty={<EmptyState title={t.notifications.none_yet}>{t.notifications.none_yet_text}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

type MarkRead = (entry: InboxEntry) => void;

const columnsOf = (markRead: MarkRead): ReadonlyArray<Column<InboxEntry>> => [
  { title: t.notifications.notification, cell: (entry) => <Subject entry={entry} markRead={markRead} /> },
  { title: t.notifications.received, cell: ({ at }) => <Time at={at} /> },
  {
    title: t.notifications.state,
    cell: (entry) =>
      entry.read_at === null ? (
        <Button
          variant="subtle"
          size="xs"
          aria-label={t.notifications.mark_as_read_of({ subject: entry.subject })}
          onClick={() => markRead(entry)}
        >
          {t.notifications.mark_as_read}
        </Button>
      ) : (
        <span className={styles.read}>{t.notifications.read}</span>
      ),
  },
];

function Subject({ entry, markRead }: { readonly entry: InboxEntry; readonly markRead: MarkRead }) {
  const router = useRouter();
  const { path, subject, text, read_at: readAt } = entry;
  return (
    <div className={styles.entry} data-unread={readAt === null || undefined}>
      {readAt === null && <span className={styles.unread}>{t.notifications.new}</span>}
      {path === null ? (
        <span className={styles.subject}>{subject}</span>
      ) : (
        <a
          href={path}
          className={styles.subject}
          onClick={(event) => {
            if (readAt === null) markRead(entry);
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            router.history.push(path);
          }}
        >
          {subject}
        </a>
      )}
      <p className={styles.text}>{text}</p>
    </div>
  );
}
