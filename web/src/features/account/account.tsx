import { defaultLanguage, type Language } from '../../../../locales/languages.ts';
import { storeChosenLanguage } from '../../messages/language.ts';
import { reloadInLanguageOf } from '../../session/language.ts';
import { languageOptions } from '../../ui/language-select.tsx';
import { toasts } from '../../ui/toasts.ts';
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
      <Profile name={session.name} language={session.language ?? defaultLanguage} />
      <EmailAddress email={email} />
      <Password email={email} withCode={session.second_factor} />
      <SecondFactor />
      {session.stores.slice(0, storesShownMax).map((store) => (
        <StoreNotifications key={store.id} store={store} />
      ))}
      {session.stores.length > storesShownMax && (
        <p>{t.account.you_can_change_email_notifications({ value: session.stores.length - storesShownMax })}</p>
      )}
      <Sessions />
      <Devices />
      <OwnApiKeys />
      <EndAllAccess />
      <AccountData email={email} />
    </Page>
  );
}

function Profile({ name, language }: { readonly name: string; readonly language: Language }) {
  const client = useQueryClient();
  const router = useRouter();
  const done = async (session: Session) => {
    client.setQueryData(sessionQuery.queryKey, session);
    if (session.language !== null) storeChosenLanguage(session.language);
    await reloadInLanguageOf(location.pathname);
    await router.invalidate();
    toasts.show({ message: t.account.profile_saved });
  };
  return (
    <Section title={t.account.profile}>
      <Form
        send={(values) => api.patch('/profile', { name: values.text('name'), language: values.option<Language>('language') })}
        done={done}
        submit={t.account.save_profile}
      >
        <TextField
          name="name"
          label={t.account.name}
          description={t.account.shown_to_your_team_and}
          autoComplete="name"
          maxLength={100}
          defaultValue={name}
        />
        <SelectField
          name="language"
          label={t.account.language}
          description={t.account.language_help}
          data={languageOptions}
          defaultValue={language}
        />
      </Form>
    </Section>
  );
}

function Password({ email, withCode }: { readonly email: string; readonly withCode: boolean }) {
  const client = useQueryClient();
  const done = async () => {
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    toasts.show({ message: t.account.password_changed_you_were_signed });
  };
  return (
    <Section title={t.account.password} intro={t.account.changing_your_password_signs_you}>
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
        submit={t.account.change_password}
        clears
      >
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField name="current_password" label={t.account.current_password} autoComplete="current-password" />
        <PasswordField
          name="new_password"
          label={t.account.new_password}
          description={t.account.at_least_10_characters_dont}
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
    toasts.show({ message: t.account.we_sent_a_confirmation_link({ email: requested?.email ?? '' }) });
  };
  return (
    <Section title={t.account.email_address} intro={t.account.well_ask_for_your_password}>
      <p style={{ marginTop: 0 }}>{rich(t.account.current_address, { b: <strong>{email}</strong> })}</p>
      {pending !== null && (
        <p>
          {rich(t.account.waiting_for_you_to_confirm({ email: pending.email }), { expiry: <Time at={pending.expires_at} /> })}{' '}
          <ConfirmButton
            label={t.account.cancel_change}
            variant="subtle"
            title={t.account.cancel_the_email_address_change}
            confirm={t.account.cancel_change}
            run={async () => {
              await api.delete(emailPath);
              await refresh(client, emailPath);
            }}
          >
            <p>{t.account.the_link_that_we_sent({ email: pending.email })}</p>
          </ConfirmButton>
        </p>
      )}
      <Form
        send={(values) => api.post(emailPath, { email: values.text('email') })}
        done={done}
        submit={t.account.change_email_address}
        clears
      >
        <TextField name="email" label={t.account.new_email_address} type="email" autoComplete="email" maxLength={254} />
      </Form>
    </Section>
  );
}
