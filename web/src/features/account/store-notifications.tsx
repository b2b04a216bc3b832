import { notifications } from '@mantine/notifications';
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

const kinds = [
  ['applications', 'A creator applies to a program', 'programs:write'],
  ['approvals', 'Commissions approve themselves in two days', 'commissions:review'],
  ['disputes', 'A creator objects to a rejection', 'commissions:review'],
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
    notifications.show({ message: 'Your choice of mails is kept.' });
  };
  return (
    <Section title={`Mails about ${store.data?.name ?? 'a store'}`} intro="A charge that failed is told in any case.">
      <QueryView query={found}>
        {(data) => (
          <Form send={(values) => send(values.all('mails'))} done={done} submit="Save the mails">
            <CheckboxGroup label="Write me when" name="mails">
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
