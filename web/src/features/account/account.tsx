import { notifications } from '@mantine/notifications';
import { useQueryClient, useQuery } from '@tanstack/react-query';
import { useRouteContext, useRouter } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { sessionQuery, type Session } from '../../session/session.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { CheckboxOption, SecondFactorField, SelectField, TextField } from '../../ui/fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh, apiQuery } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { AccountData } from './account-data.tsx';
import { Devices, EndAllAccess, Sessions } from './sessions.tsx';
import { OwnApiKeys } from './own-api-keys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { StoreNotifications } from './store-notifications.tsx';
import { storeLanguage } from '../../messages/language.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** Each store has its own form. */
const storesShownMax = 20;

/** The person's own settings: name, password, second factor, emails, and sessions. */
export function Account() {
  const { session } = useRouteContext({ from: '/signed-in' });
  // Only API keys have no email.
  const email = session.email ?? '';
  return (
    <Page title={t.account.my_account} narrow intro={email}>
      <Profile name={session.name} language={session.language ?? 'en'} />
      <EmailAddress email={email} />
      <Password email={email} withCode={session.second_factor} />
      <SecondFactor />
      {session.stores.slice(0, storesShownMax).map((store) => (
        <StoreNotifications key={store.id} store={store} />
      ))}
      {session.stores.length > storesShownMax && (
        <p>{t.account.which_mails_you_get_about({ value: session.stores.length - storesShownMax })}</p>
      )}
      <Sessions />
      <Devices />
      <OwnApiKeys />
      <EndAllAccess />
      <AccountData email={email} />
    </Page>
  );
}

type Language = NonNullable<Session['language']>;

/** Each language in its own name, so that its speakers find it. */
const languageOptions: ReadonlyArray<{ readonly value: Language; readonly label: string }> = [
  { value: 'en', label: t.account.english },
  { value: 'de', label: t.account.deutsch },
];
const readLanguage = (text: string): Language => languageOptions.find(({ value }) => value === text)?.value ?? 'en';

function Profile({ name, language }: { readonly name: string; readonly language: Language }) {
  const client = useQueryClient();
  const router = useRouter();
  const done = async (session: Session) => {
    client.setQueryData(sessionQuery.queryKey, session);
    if (session.language) storeLanguage(session.language);
    await router.invalidate();
    notifications.show({ message: t.account.your_profile_was_saved });
  };
  return (
    <Section title={t.account.profile}>
      <Form
        send={(values) => api.patch('/profile', { name: values.text('name'), language: readLanguage(values.text('language')) })}
        done={done}
        submit={t.account.save}
      >
        <TextField
          name="name"
          label={t.account.name}
          description={t.account.as_colleagues_and_the_audit}
          autoComplete="name"
          maxLength={100}
          defaultValue={name}
        />
        <SelectField name="language" label={t.account.language_of_emails} data={[...languageOptions]} defaultValue={language} />
      </Form>
    </Section>
  );
}

function Password({ email, withCode }: { readonly email: string; readonly withCode: boolean }) {
  const client = useQueryClient();
  const done = async () => {
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    notifications.show({ message: t.account.your_password_was_changed_all });
  };
  return (
    <Section title={t.account.password} intro={t.account.a_new_password_ends_all}>
      <Form
        send={(values) =>
          api.put('/password', {
            current_password: values.raw('current_password'),
            new_password: values.raw('new_password'),
            end_keys: values.all('end_keys').length > 0,
            ...(withCode && { code: values.text('code') }),
          })
        }
        done={done}
        submit={t.account.change_the_password}
        clears
      >
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField name="current_password" label={t.account.current_password} autoComplete="current-password" />
        <PasswordField
          name="new_password"
          label={t.account.new_password}
          description={t.account.at_least_10_characters_and}
          minLength={10}
          autoComplete="new-password"
        />
        {withCode && <SecondFactorField />}
        <CheckboxOption name="end_keys" value="yes" label={t.account.also_revoke_all_api_keys} />
      </Form>
    </Section>
  );
}

type Pending = { readonly pending: { readonly email: string; readonly expires_at: string } | null };
const emailPath = '/profile/email';

/** A link confirms the new address; the former address can undo the change for 7 days. */
function EmailAddress({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const change = useQuery(apiQuery(emailPath));
  const pending = change.data?.pending ?? null;
  const done = async ({ pending: requested }: Pending) => {
    await refresh(client, emailPath);
    notifications.show({ message: `A link is on its way to ${requested?.email ?? t.account.the_new_address}.` });
  };
  return (
    <Section title={t.account.e_mail_address} intro={t.account.a_change_asks_for_your}>
      <p style={{ marginTop: 0 }}>{rich(t.account.now, { b: <strong>{email}</strong> })}</p>
      {pending !== null && (
        <p>
          {t.account.waiting_for} {pending.email} {t.account.to_be_confirmed_until} <Time at={pending.expires_at} />.{' '}
          <ConfirmButton
            label={t.account.cancel_the_change}
            variant="subtle"
            title={t.account.cancel_the_change_of_address}
            confirm={t.account.cancel_the_change}
            run={async () => {
              await api.delete(emailPath);
              await refresh(client, emailPath);
            }}
          >
            <p>{t.account.the_link_that_was_sent({ email: pending.email })}</p>
          </ConfirmButton>
        </p>
      )}
      <Form
        send={(values) => api.post(emailPath, { email: values.text('email') })}
        done={done}
        submit={t.account.change_the_address}
        clears
      >
        <TextField name="email" label={t.account.new_e_mail_address} type="email" autoComplete="email" maxLength={254} />
      </Form>
    </Section>
  );
}
