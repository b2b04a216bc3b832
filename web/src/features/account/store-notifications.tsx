import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { apiPath } from '../../api/operations.ts';
import { storeQuery } from '../stores/stores-api.ts';
import { CheckboxOption, CheckboxGroup } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import type { StoreRole } from '../../session/session.ts';
import { t } from './messages.ts';

const kinds = [
  ['applications', t.store_notifications.a_creator_applies_to, 'programs:write'],
  ['approvals', t.store_notifications.commissions_are_about_to_be, 'commissions:review'],
  ['disputes', t.store_notifications.a_creator_disputes_a_rejection, 'commissions:review'],
] as const;
/** Only emails about things the person may act on are offered. */
export function StoreNotifications({ store: { id, permissions } }: { readonly store: StoreRole }) {
  const mine = kinds.filter(([, , needed]) => permissions.includes(needed));
  const path = apiPath('/stores/{store}/notifications', { store: id });
  const found = useQuery(apiQuery(path));
  const store = useQuery(storeQuery(id));
  const client = useQueryClient();
  if (mine.length === 0) return null;
  const send = (selected: readonly string[]) => api.put(path, Object.fromEntries(mine.map(([kind]) => [kind, selected.includes(kind)])));
  const done = async () => {
    await refresh(client, path);
    toasts.show({ message: t.store_notifications.email_notifications_saved });
  };
  return (
    <Section
      title={t.store_notifications.email_notifications_for({ value: store.data?.name ?? 'a store' })}
      intro={t.store_notifications.you_always_receive_emails_about}
    >
      <QueryView query={found}>
        {(data) => (
          <Form send={(values) => send(values.all('mails'))} done={done} submit={t.store_notifications.save_notifications}>
            <CheckboxGroup label={t.store_notifications.email_me_when} name="mails">
              {mine.map(([kind, label]) => (
                <CheckboxOption key={kind} name="mails" value={kind} label={label} defaultChecked={data[kind]} />
              ))}
            </CheckboxGroup>
          </Form>
        )}
      </QueryView>
    </Section>
  );
}
