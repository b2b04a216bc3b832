import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Creator } from '../../../../sdk/src/api-schema.ts';
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
      {creator.isPending && <Section title={t.creator_settings.payout_method} children={<LoadingSkeleton />} />}
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
    toasts.show({ message: t.creator_settings.creator_name_saved });
  };
  return (
    <Section title={t.creator_settings.creator_name}>
      <Form
        key={name}
        send={(values) => api.patch(apiPath('/creators/{creator}', { creator: id }), { name: values.text('name') })}
        done={done}
        submit={t.creator_settings.save_name}
      >
        <TextField
          name="name"
          label={t.creator_settings.name}
          description={t.creator_settings.shown_to_merchants_use_your}
          maxLength={200}
          defaultValue={name}
        />
      </Form>
    </Section>
  );
}

const emailKinds = [
  ['joined', t.creator_settings.a_merchant_approves_my_application, null],
  ['new_commissions', t.creator_settings.new_sales, t.creator_settings.at_most_one_email_per],
  ['approved', t.creator_settings.approved_sales, t.creator_settings.included_in_the_same_email],
  ['refused', t.creator_settings.rejected_sales_with_the_reason, t.creator_settings.included_in_the_same_email],
  ['paid', t.creator_settings.a_payout_was_sent, null],
  ['failed', t.creator_settings.a_payout_failed_or_was, null],
] as const;
/** Emails that protect the account, such as a changed payout method, are always sent. */
function EmailPreferences({ creator }: { readonly creator: string }) {
  const settings = useQuery(apiQuery(notificationsPath(creator)));
  const client = useQueryClient();
  const send = (selected: readonly string[]) =>
    api.put(notificationsPath(creator), Object.fromEntries(emailKinds.map(([kind]) => [kind, selected.includes(kind)])));
  const done = async () => {
    await refresh(client, notificationsPath(creator));
    toasts.show({ message: t.creator_settings.email_notifications_saved });
  };
  return (
    <Section title={t.creator_settings.email_notifications} intro={t.creator_settings.we_always_email_you_about}>
      <QueryView query={settings} lines={6}>
        {(data) => (
          <Form send={(values) => send(values.all('mails'))} done={done} submit={t.creator_settings.save_notifications}>
            <CheckboxGroup label={t.creator_settings.email_me_about} name="mails">
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
