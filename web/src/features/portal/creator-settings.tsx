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
import { t } from './messages.ts';

/** Payout method, tax details, and email preferences. */
export function CreatorSettings() {
  const id = useCreatorId();
  const creator = useQuery(creatorQuery(id));
  return (
    <Page title={t.creator_settings.settings} narrow>
      {creator.isPending && <Section title={t.creator_settings.how_you_are_paid} children={<LoadingSkeleton />} />}
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
    notifications.show({ message: t.creator_settings.your_creator_name_was_changed });
  };
  return (
    <Section title={t.creator_settings.creator_name}>
      <Form
        key={name}
        send={(values) => api.patch(apiPath('/creators/{creator}', { creator: id }), { name: values.text('name') })}
        done={done}
        submit={t.creator_settings.save_the_name}
      >
        <TextField
          name="name"
          label={t.creator_settings.name}
          description={t.creator_settings.as_merchants_see_you_your}
          maxLength={200}
          defaultValue={name}
        />
      </Form>
    </Section>
  );
}

const emailKinds = [
  ['joined', t.creator_settings.a_merchant_takes_me_into, null],
  ['new_commissions', t.creator_settings.new_sales, t.creator_settings.once_a_day_however_many],
  ['approved', t.creator_settings.sales_that_were_approved, t.creator_settings.in_the_same_mail],
  ['refused', t.creator_settings.sales_that_were_refused_with, t.creator_settings.in_the_same_mail],
  ['paid', t.creator_settings.a_payout_was_sent, null],
  ['failed', t.creator_settings.a_payout_did_not_work, null],
] as const;
/** Emails that protect the account, such as a changed payout method, are always sent. */
function EmailPreferences({ creator }: { readonly creator: string }) {
  const settings = useQuery(apiQuery(notificationsPath(creator)));
  const client = useQueryClient();
  const send = (selected: readonly string[]) =>
    api.put(notificationsPath(creator), Object.fromEntries(emailKinds.map(([kind]) => [kind, selected.includes(kind)])));
  const done = async () => {
    await refresh(client, notificationsPath(creator));
    notifications.show({ message: t.creator_settings.your_choice_of_mails_is });
  };
  return (
    <Section title={t.creator_settings.mails} intro={t.creator_settings.what_protects_your_account_like}>
      <QueryView query={settings} lines={6}>
        {(data) => (
          <Form send={(values) => send(values.all('mails'))} done={done} submit={t.creator_settings.save_the_mails}>
            <CheckboxGroup label={t.creator_settings.write_me_when} name="mails">
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
