import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Choice, Choices } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { notificationsPath } from './creator-api.ts';

const kinds = [
  ['joined', 'A merchant takes me into a program', null],
  ['new_commissions', 'New sales', 'Once a day, however many there are.'],
  ['approved', 'Sales that were approved', 'In the same mail.'],
  ['refused', 'Sales that were refused, with the reason', 'In the same mail.'],
  ['paid', 'A payout was sent', null],
  ['failed', 'A payout did not work, or came back', null],
] as const;
type Wanted = Readonly<Record<(typeof kinds)[number][0], boolean>>;

/** What protects the account, like a changed payout method, is told in any case. */
export function WantedMails({ creator }: { readonly creator: string }) {
  const found = useQuery(reading<Wanted>(notificationsPath(creator)));
  const client = useQueryClient();
  const send = (ticked: readonly string[]) =>
    api.put(notificationsPath(creator), Object.fromEntries(kinds.map(([kind]) => [kind, ticked.includes(kind)])));
  const done = async () => {
    await refresh(client, notificationsPath(creator));
    notifications.show({ message: 'Your choice of mails is kept.' });
  };
  return (
    <Section title="Mails" intro="What protects your account, like a changed payout method, is told in any case.">
      {found.isPending && <Waiting lines={6} />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Form send={(values) => send(values.all('mails'))} done={done} submit="Save the mails">
          <Choices label="Write me when" name="mails">
            {kinds.map(([kind, label, description]) => (
              <Choice key={kind} name="mails" value={kind} label={label} description={description} defaultChecked={found.data[kind]} />
            ))}
          </Choices>
        </Form>
      )}
    </Section>
  );
}
