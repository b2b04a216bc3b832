import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiError, isTransient } from '../../api/client.ts';
import type { OneTimeLink } from '../../api/api-schema.ts';
import { CheckboxOption, SecondFactorField, TextField } from '../../ui/fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { EmailChangeLink } from './email-change-link.tsx';
import { useStartSession } from './start-session.ts';

/**
 * The target of the links in all emails. The token is in the URL fragment, so no server logs it; the service says what the link is for.
 */
export function OneTimeLink() {
  const [token] = useState(() => location.hash.slice(1));
  const { for: purpose } = useSearch({ from: '/link' });
  return purpose === 'email' ? <EmailChangeLink token={token} /> : <AccountLink token={token} />;
}

function AccountLink({ token }: { readonly token: string }) {
  const meaning = useQuery({
    queryKey: ['one-time-link', token],
    queryFn: () => api.post('/one-time-links/read', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const below = <TextLink to="/sign-in">Go to signing in</TextLink>;
  if (meaning.isPending) return <AuthLayout title="One moment" children={<LoadingSkeleton />} />;
  if (meaning.isError && isLinkInvalid(meaning.error)) {
    return (
      <AuthLayout title="This link does not work" below={below}>
        <ErrorAlert error={meaning.error} />
        <p>
          Each link works once, for a time. A new one for your password you get <TextLink to="/forgot-password">here</TextLink>; for a new
          invitation ask whoever invited you.
        </p>
      </AuthLayout>
    );
  }
  if (meaning.isError) {
    const note = <ErrorAlert error={meaning.error} onRetry={() => void meaning.refetch()} />;
    return <AuthLayout title="This link could not be read yet" below={below} children={note} />;
  }
  return <UseLink token={token} meaning={meaning.data} />;
}

/** False when the service was unavailable or busy: the link may still be valid. */
const isLinkInvalid = (problem: Error): boolean => problem instanceof ApiError && !isTransient(problem);

function UseLink({ token, meaning }: { readonly token: string; readonly meaning: OneTimeLink }) {
  const startSession = useStartSession();
  const { purpose, email, account, second_factor: withCode } = meaning;
  const isNewPassword = account === 'new' || purpose === 'new password';
  return (
    <AuthLayout title={titles[purpose]} intro={introText(meaning)}>
      <Form
        send={(values) =>
          api.post('/one-time-links/use', {
            token,
            ...enteredFields(values),
            ...(purpose === 'new password' && { end_keys: values.all('end_keys').length > 0 }),
          })
        }
        done={startSession}
        submit={submitLabels[purpose]}
        wide
      >
        {email === null ? (
          <TextField name="email" label="E-mail" type="email" autoComplete="username" />
        ) : (
          <TextField name="shown_email" label="E-mail" value={email} readOnly autoComplete="username" />
        )}
        {account === 'new' && <TextField name="name" label="Your name" autoComplete="name" maxLength={100} autoFocus />}
        {account !== 'signed in' && (
          <PasswordField
            name="password"
            label={isNewPassword ? 'Choose a password' : 'Your password'}
            {...(isNewPassword && {
              description: 'At least 10 characters. Several words in a row are easy to keep and hard to guess.',
              minLength: 10,
            })}
            autoComplete={isNewPassword ? 'new-password' : 'current-password'}
          />
        )}
        {withCode && <SecondFactorField />}
        {purpose === 'new password' && (
          <CheckboxOption
            name="end_keys"
            value="yes"
            defaultChecked
            label="Also revoke all API keys I created"
            description="Recommended if somebody else may know your password. All your sessions end in any case."
          />
        )}
      </Form>
    </AuthLayout>
  );
}

/** Sends only the fields of this form: the service rejects others. */
function enteredFields(values: Values): Readonly<Record<string, string>> {
  const typed = { email: values.text('email'), name: values.text('name'), password: values.raw('password'), code: values.text('code') };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
}

const titles = {
  'first operator': 'Welcome to Tributary',
  'sign-up': 'Finish your sign-up',
  'new password': 'Choose a new password',
  invitation: 'You are invited',
} as const satisfies Record<OneTimeLink['purpose'], string>;

const submitLabels = {
  'first operator': 'Become the first operator',
  'sign-up': 'Make my account',
  'new password': 'Change my password',
  invitation: 'Accept the invitation',
} as const satisfies Record<OneTimeLink['purpose'], string>;

function introText({ purpose, account, invitation }: OneTimeLink): string {
  switch (purpose) {
    case 'first operator':
      return 'This installation has nobody yet. You become its first operator, who may do everything and invite others.';
    case 'sign-up':
      return 'Your address is proved. Say how you are called and choose a password.';
    case 'new password':
      return 'All your other sessions end.';
    case 'invitation':
      return `${invitationText(invitation)} ${account === 'new' ? 'Make your account to join.' : 'Accept to join with the account you have.'}`;
  }
}

function invitationText(invitation: OneTimeLink['invitation']): string {
  switch (invitation?.kind) {
    case 'store':
      return `You are to work on a store, with the role “${invitation.role}”.`;
    case 'operator':
      return 'You are to run this installation as an operator.';
    default:
      return 'You are to look after a creator’s account: links, sales and payouts.';
  }
}
