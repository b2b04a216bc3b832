import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { storeReading } from '../merchant/stores-api.ts';
import { Choice, Choices } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import type { StoreRole } from '../shell/session.ts';

const kinds = [
  ['applications', 'A creator applies to a program', 'programs:write'],
  ['approvals', 'Commissions approve themselves in two days', 'commissions:review'],
  ['disputes', 'A creator objects to a rejection', 'commissions:review'],
] as const;
type Wanted = Readonly<Record<(typeof kinds)[number][0], boolean>>;

/** Only what the person could do something about is mailed to them, so only that is asked. */
export function StoreMails({ store: { id, permissions } }: { readonly store: StoreRole }) {
  const mine = kinds.filter(([, , needed]) => permissions.includes(needed));
  const path = `/stores/${id}/notifications`;
  const found = useQuery(reading<Wanted>(path));
  const store = useQuery(storeReading(id));
  const client = useQueryClient();
  if (mine.length === 0) return null;
  const send = (ticked: readonly string[]) => api.put(path, Object.fromEntries(mine.map(([kind]) => [kind, ticked.includes(kind)])));
  const done = async () => {
    await refresh(client, path);
    notifications.show({ message: 'Your choice of mails is kept.' });
  };
  return (
    <Section title={`Mails about ${store.data?.name ?? 'a store'}`} intro="A charge that failed is told in any case.">
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Form send={(values) => send(values.all('mails'))} done={done} submit="Save the mails">
          <Choices label="Write me when" name="mails">
            {mine.map(([kind, label]) => (
              <Choice key={kind} name="mails" value={kind} label={label} defaultChecked={found.data[kind]} />
            ))}
          </Choices>
        </Form>
      )}
    </Section>
  );
}
