import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReceivedMessage } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { MarkdownText } from './markdown-text.tsx';
import { t } from './messages.ts';

/** The messages that stores sent to the creator by email. */
export function CreatorMessages() {
  const creator = useCreatorId();
  const list = useList<'/creators/{creator}/messages', object>({
    search: useSearch({ from: '/signed-in/creator/messages' }),
    navigate: useNavigate({ from: '/creator/messages' }),
    path: apiPath('/creators/{creator}/messages', { creator }),
    fields: [],
  });
  return (
    <Page title={t.received_messages.messages} intro={t.received_messages.intro}>
      <Section title={t.received_messages.messages} bare flush>
        <ListView
          list={list}
          caption={t.received_messages.messages}
          columns={columns}
          keyOf={({ id }) => id}
          empty={<EmptyState title={t.received_messages.none_yet}>{t.received_messages.none_yet_text}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<ReceivedMessage>> = [
  {
    title: t.received_messages.message,
    priority: true,
    cell: ({ subject, body }) => (
      <div className={styles.message}>
        <strong>{subject}</strong>
        <MarkdownText text={body} />
      </div>
    ),
  },
  {
    title: t.received_messages.store,
    priority: true,
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        {program !== null && <div className={styles.muted}>{program}</div>}
      </>
    ),
  },
  { title: t.received_messages.sent, priority: true, cell: ({ at }) => <Time at={at} /> },
];
