import { toasts } from '../../ui/toasts.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { CreatorMessage } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsQuery } from '../programs/programs-api.ts';
import { creatorMessagesPath } from './creators-api.ts';
import styles from './creators.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const subjectLengthMax = 150;
const bodyLengthMax = 10_000;
const everyone = 'all';

/** Sends messages to creators by email, and lists the sent ones. */
export function CreatorMessages() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { creator_id: creator } = useSearch({ from: '/signed-in/stores/$store/creator-messages' });
  const mayChange = usePermission(store)('programs:write');
  return (
    <Page
      title={t.creator_messages.messages}
      above={
        <TextLink to="/stores/$store/creators" params={{ store }}>
          {t.creator_messages.creators}
        </TextLink>
      }
      intro={t.creator_messages.send_emails_to_the_creators}
    >
      {mayChange && <MessageForm key={creator} store={store} creator={creator} />}
      <Section title={t.creator_messages.sent_messages} flush>
        <ShortList
          caption={t.creator_messages.sent_messages}
          path={creatorMessagesPath(store)}
          keyOf={({ id }) => id}
          columns={columns}
          empty={<EmptyState title={t.creator_messages.no_messages_yet}>{t.creator_messages.each_message_is_listed_here}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

function MessageForm({ store, creator }: { readonly store: string; readonly creator: string | undefined }) {
  const client = useQueryClient();
  const all = useInfiniteQuery(programsQuery(store)).data?.pages.flatMap(({ data }) => data) ?? [];
  const send = (values: Values, key: string) => {
    const program = values.text('program_id');
    const audience = creator === undefined ? { program_id: program === everyone ? null : program } : { creator_ids: [creator] };
    return api.post(creatorMessagesPath(store), { subject: values.text('subject'), body: values.text('body'), ...audience }, key);
  };
  const done = async ({ recipients }: CreatorMessage) => {
    toasts.show({ message: t.creator_messages.the_message_is_on_its({ count: recipients.total }) });
    await refresh(client, creatorMessagesPath(store));
  };
  return (
    <Section
      title={creator === undefined ? t.creator_messages.new_message : t.creator_messages.new_message_to_one_creator}
      intro={t.creator_messages.you_can_send_10_messages}
    >
      <Form send={send} done={done} clears submit={t.creator_messages.send_message}>
        {creator === undefined && (
          <SelectField
            name="program_id"
            label={t.creator_messages.to}
            data={[
              { value: everyone, label: t.creator_messages.all_creators_of_the_store },
              ...all.map(({ id, name }) => ({ value: id, label: t.creator_messages.creators_of({ name }) })),
            ]}
          />
        )}
        <TextField name="subject" label={t.creator_messages.subject} maxLength={subjectLengthMax} />
        <TextAreaField
          name="body"
          label={t.creator_messages.message}
          description={t.creator_messages.plain_text_bold_italic_link}
          maxLength={bodyLengthMax}
          rows={6}
        />
      </Form>
    </Section>
  );
}

const columns: ReadonlyArray<Column<CreatorMessage>> = [
  {
    title: t.creator_messages.message,
    kind: 'name',
    cell: ({ subject, body }) => (
      <details>
        <summary>{subject}</summary>
        <p className={styles.noteText}>{body}</p>
      </details>
    ),
  },
  { title: t.creator_messages.sent, cell: ({ made_at: at }) => <Time at={at} /> },
  { title: t.creator_messages.by, cell: ({ made_by_name: name }) => name },
  { title: t.creator_messages.recipients, kind: 'number', cell: ({ recipients }) => formats.number(recipients.total) },
  { title: t.creator_messages.unsubscribed, kind: 'number', cell: ({ recipients }) => formats.number(recipients.unsubscribed) },
];
