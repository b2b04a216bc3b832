import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Creator } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField, CheckboxOption, CheckboxGroup } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh, apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { creatorQuery, useCreatorId, notificationsPath } from './creator-api.ts';
import { PayoutMethodSection, PayoutMinimumSection } from './payout-method.tsx';
import { PaidYears, TaxDetailsSection } from './tax-details.tsx';

/** Payout method, tax details, and email preferences. */
export function CreatorSettings() {
  const id = useCreatorId();
  const creator = useQuery(creatorQuery(id));
  return (
    <Page title="Settings" narrow>
      {creator.isPending && <Section title="How you are paid" children={<LoadingSkeleton />} />}
      <ErrorAlert error={creator.error} onRetry={() => void creator.refetch()} />
      {creator.isSuccess && (
        <>
          <CreatorName creator={creator.data} />
          <PayoutMethodSection creator={creator.data} />
          <PayoutMinimumSection creator={creator.data} />
        </>
      )}
      <TaxDetailsSection creator={id} />
      <PaidYears creator={id} />
      <EmailPreferences creator={id} />
    </Page>
  );
}

/** The name merchants see. Past invoices do not contain it, so it can change at any time. */
function CreatorName({ creator: { id, name } }: { readonly creator: Creator }) {
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, apiPath('/creators/{creator}', { creator: id }));
    notifications.show({ message: 'Your creator name was changed.' });
  };
  return (
    <Section title="Creator name">
      <Form
        key={name}
        send={(values) => api.patch(apiPath('/creators/{creator}', { creator: id }), { name: values.text('name') })}
        done={done}
        submit="Save the name"
      >
        <TextField
          name="name"
          label="Name"
          description="As merchants see you: your own, or that of your channel."
          maxLength={200}
          defaultValue={name}
        />
      </Form>
    </Section>
  );
}

const emailKinds = [
  ['joined', 'A merchant takes me into a program', null],
  ['new_commissions', 'New sales', 'Once a day, however many there are.'],
  ['approved', 'Sales that were approved', 'In the same mail.'],
  ['refused', 'Sales that were refused, with the reason', 'In the same mail.'],
  ['paid', 'A payout was sent', null],
  ['failed', 'A payout did not work, or came back', null],
] as const;
/** Emails that protect the account, such as a changed payout method, are always sent. */
function EmailPreferences({ creator }: { readonly creator: string }) {
  const settings = useQuery(apiQuery(notificationsPath(creator)));
  const client = useQueryClient();
  const send = (selected: readonly string[]) =>
    api.put(notificationsPath(creator), Object.fromEntries(emailKinds.map(([kind]) => [kind, selected.includes(kind)])));
  const done = async () => {
    await refresh(client, notificationsPath(creator));
    notifications.show({ message: 'Your choice of mails is kept.' });
  };
  return (
    <Section title="Mails" intro="What protects your account, like a changed payout method, is told in any case.">
      <QueryView query={settings} lines={6}>
        {(data) => (
          <Form send={(values) => send(values.all('mails'))} done={done} submit="Save the mails">
            <CheckboxGroup label="Write me when" name="mails">
              {emailKinds.map(([kind, label, description]) => (
                <CheckboxOption key={kind} name="mails" value={kind} label={label} description={description} defaultChecked={data[kind]} />
              ))}
            </CheckboxGroup>
          </Form>
        )}
      </QueryView>
    </Section>
  );
}
