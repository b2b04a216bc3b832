import { useRouteContext, useRouter } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { api } from '../../api/client.ts';
import { CheckboxOption, PasswordField, SecondFactorField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { sessionQuery, type Session } from '../../session/session.ts';
import { Devices } from './devices.tsx';
import { EndAllAccess } from './end-all-access.tsx';
import { EmailAddress } from './email-address.tsx';
import { AccountData } from './account-data.tsx';
import { OwnApiKeys } from './own-api-keys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { StoreNotifications } from './store-notifications.tsx';

/** Each store has its own form. */
const storesShownMax = 20;

/** The person's own settings: name, password, second factor, emails, and sessions. */
export function Account() {
  const { session } = useRouteContext({ from: '/signed-in' });
  return (
    <Page title="My account" narrow intro={session.email}>
      <Profile name={session.name} />
      <EmailAddress email={session.email} />
      <Password email={session.email} withCode={session.second_factor} />
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
      <AccountData email={session.email} />
    </Page>
  );
}

function Profile({ name }: { readonly name: string }) {
  const client = useQueryClient();
  const router = useRouter();
  const done = async (session: Session) => {
    client.setQueryData(sessionQuery.queryKey, session);
    await router.invalidate();
    notifications.show({ message: 'Your name was changed.' });
  };
  return (
    <Section title="Profile">
      <Form send={(values) => api.patch<Session>('/profile', { name: values.text('name') })} done={done} submit="Save">
        <TextField
          name="name"
          label="Name"
          description="As colleagues and the audit log show you."
          autoComplete="name"
          maxLength={100}
          defaultValue={name}
        />
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
