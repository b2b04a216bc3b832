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

/** Each store has its own form. */
const storesShownMax = 20;

/** The person's own settings: name, password, second factor, emails, and sessions. */
export function Account() {
  const { session } = useRouteContext({ from: '/signed-in' });
  // Only API keys have no email.
  const email = session.email ?? '';
  return (
    <Page title="My account" narrow intro={email}>
      <Profile name={session.name} language={session.language ?? 'en'} />
      <EmailAddress email={email} />
      <Password email={email} withCode={session.second_factor} />
      <SecondFactor />
      {session.stores.slice(0, storesShownMax).map((store) => (
        <StoreNotifications key={store.id} store={store} />
      ))}
      {session.stores.length > storesShownMax && (
        <p>Which mails you get about your other {session.stores.length - storesShownMax} stores is chosen by the API.</p>
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
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
];
const readLanguage = (text: string): Language => languageOptions.find(({ value }) => value === text)?.value ?? 'en';

function Profile({ name, language }: { readonly name: string; readonly language: Language }) {
  const client = useQueryClient();
  const router = useRouter();
  const done = async (session: Session) => {
    client.setQueryData(sessionQuery.queryKey, session);
    await router.invalidate();
    notifications.show({ message: 'Your profile was saved.' });
  };
  return (
    <Section title="Profile">
      <Form
        send={(values) => api.patch('/profile', { name: values.text('name'), language: readLanguage(values.text('language')) })}
        done={done}
        submit="Save"
      >
        <TextField
          name="name"
          label="Name"
          description="As colleagues and the audit log show you."
          autoComplete="name"
          maxLength={100}
          defaultValue={name}
        />
        <SelectField name="language" label="Language of emails" data={[...languageOptions]} defaultValue={language} />
      </Form>
    </Section>
  );
}

function Password({ email, withCode }: { readonly email: string; readonly withCode: boolean }) {
  const client = useQueryClient();
  const done = async () => {
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    notifications.show({ message: 'Your password was changed. All your other sessions ended.' });
  };
  return (
    <Section title="Password" intro="A new password ends all your other sessions.">
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
        submit="Change the password"
        clears
      >
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField name="current_password" label="Current password" autoComplete="current-password" />
        <PasswordField
          name="new_password"
          label="New password"
          description="At least 10 characters, and not a common password."
          minLength={10}
          autoComplete="new-password"
        />
        {withCode && <SecondFactorField />}
        <CheckboxOption name="end_keys" value="yes" label="Also revoke all API keys I created" />
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
    notifications.show({ message: `A link is on its way to ${requested?.email ?? 'the new address'}.` });
  };
  return (
    <Section
      title="E-mail address"
      intro="A change asks for your password. A link goes to the new address, and your other sessions end. The former address can undo it for 7 days."
    >
      <p style={{ marginTop: 0 }}>
        Now: <strong>{email}</strong>
      </p>
      {pending !== null && (
        <p>
          Waiting for {pending.email} to be confirmed, until <Time at={pending.expires_at} />.{' '}
          <ConfirmButton
            label="Cancel the change"
            variant="subtle"
            title="Cancel the change of address?"
            confirm="Cancel the change"
            run={async () => {
              await api.delete(emailPath);
              await refresh(client, emailPath);
            }}
          >
            <p>The link that was sent to {pending.email} stops working.</p>
          </ConfirmButton>
        </p>
      )}
      <Form send={(values) => api.post(emailPath, { email: values.text('email') })} done={done} submit="Change the address" clears>
        <TextField name="email" label="New e-mail address" type="email" autoComplete="email" maxLength={254} />
      </Form>
    </Section>
  );
}
