import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiError, isTransient } from '../../api/client.ts';
import type { OneTimeLink } from '../../../../sdk/src/api-schema.ts';
import { CheckboxOption, SecondFactorField, TextField } from '../../ui/fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { EmailChangeLink } from './email-change-link.tsx';
import { useStartSession } from './start-session.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
  const below = <TextLink to="/sign-in">{t.one_time_link.go_to_sign_in}</TextLink>;
  if (meaning.isPending) return <AuthLayout title={t.one_time_link.checking_your_link} children={<LoadingSkeleton />} />;
  if (meaning.isError && isLinkInvalid(meaning.error)) {
    return (
      <AuthLayout title={t.one_time_link.this_link_isnt_valid} below={below}>
        <ErrorAlert error={meaning.error} />
        <p>{rich(t.one_time_link.each_link_works_once_and, { link: <TextLink to="/forgot-password" /> })}</p>
      </AuthLayout>
    );
  }
  if (meaning.isError) {
    const note = <ErrorAlert error={meaning.error} onRetry={() => void meaning.refetch()} />;
    return <AuthLayout title={t.one_time_link.couldnt_check_this_link} below={below} children={note} />;
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
          <TextField name="email" label={t.one_time_link.email} type="email" autoComplete="username" />
        ) : (
          <TextField name="shown_email" label={t.one_time_link.email} value={email} readOnly autoComplete="username" />
        )}
        {account === 'new' && <TextField name="name" label={t.one_time_link.your_name} autoComplete="name" maxLength={100} autoFocus />}
        {account !== 'signed in' && (
          <PasswordField
            name="password"
            label={isNewPassword ? t.one_time_link.password : t.one_time_link.your_password}
            {...(isNewPassword && {
              description: t.one_time_link.at_least_10_characters,
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
            label={t.one_time_link.also_revoke_all_api_keys}
            description={t.one_time_link.recommended_if_someone_else_may}
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
  'first operator': t.one_time_link.welcome_to_tributary,
  'sign-up': t.one_time_link.finish_creating_your_account,
  'new password': t.one_time_link.choose_a_new_password,
  invitation: t.one_time_link.youve_been_invited,
} as const satisfies Record<OneTimeLink['purpose'], string>;

const submitLabels = {
  'first operator': t.one_time_link.create_operator_account,
  'sign-up': t.one_time_link.create_account,
  'new password': t.one_time_link.change_password,
  invitation: t.one_time_link.accept_invitation,
} as const satisfies Record<OneTimeLink['purpose'], string>;

function introText({ purpose, account, invitation }: OneTimeLink): string {
  switch (purpose) {
    case 'first operator':
      return t.one_time_link.this_installation_has_no_accounts;
    case 'sign-up':
      return t.one_time_link.your_email_address_is_confirmed;
    case 'new password':
      return t.one_time_link.youll_be_signed_out_on;
    case 'invitation':
      return [
        invitationText(invitation),
        account === 'new' ? t.one_time_link.create_an_account_to_accept : t.one_time_link.you_can_accept_with_your,
      ].join(' ');
  }
}

function invitationText(invitation: OneTimeLink['invitation']): string {
  switch (invitation?.kind) {
    case 'store':
      return t.one_time_link.youve_been_invited_to({ role: invitation.role ?? '' });
    case 'operator':
      return t.one_time_link.youve_been_invited_to_manage;
    default:
      return t.one_time_link.youve_been_invited_to_manage_2;
  }
}
