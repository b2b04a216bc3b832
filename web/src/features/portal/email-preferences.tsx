import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { CheckboxOption, CheckboxGroup } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { notificationsPath } from './creator-api.ts';

const emailKinds = [
  ['joined', 'A merchant takes me into a program', null],
  ['new_commissions', 'New sales', 'Once a day, however many there are.'],
  ['approved', 'Sales that were approved', 'In the same mail.'],
  ['refused', 'Sales that were refused, with the reason', 'In the same mail.'],
  ['paid', 'A payout was sent', null],
  ['failed', 'A payout did not work, or came back', null],
] as const;
type EmailSettings = Readonly<Record<(typeof emailKinds)[number][0], boolean>>;

/** Emails that protect the account, such as a changed payout method, are always sent. */
export function EmailPreferences({ creator }: { readonly creator: string }) {
  const settings = useQuery(apiQuery<EmailSettings>(notificationsPath(creator)));
  const client = useQueryClient();
  const send = (selected: readonly string[]) =>
    api.put(notificationsPath(creator), Object.fromEntries(emailKinds.map(([kind]) => [kind, selected.includes(kind)])));
  const done = async () => {
    await refresh(client, notificationsPath(creator));
    notifications.show({ message: 'Your choice of mails is kept.' });
  };
  return (
    <Section title="Mails" intro="What protects your account, like a changed payout method, is told in any case.">
      {settings.isPending && <LoadingSkeleton lines={6} />}
      {settings.isError && <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isSuccess && (
        <Form send={(values) => send(values.all('mails'))} done={done} submit="Save the mails">
          <CheckboxGroup label="Write me when" name="mails">
            {emailKinds.map(([kind, label, description]) => (
              <CheckboxOption
                key={kind}
                name="mails"
                value={kind}
                label={label}
                description={description}
                defaultChecked={settings.data[kind]}
              />
            ))}
          </CheckboxGroup>
        </Form>
      )}
    </Section>
  );
}
