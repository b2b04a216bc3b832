import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiProblem, isPassing } from '../api.ts';
import { Choice, PasswordField, SecondFactorField, TextField } from '../parts/fields.tsx';
import { Form, type Values } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import type { Session } from '../shell/session.ts';
import { Door } from './door.tsx';
import { EmailChangeLink } from './email-change-link.tsx';
import { useEnter } from './enter.ts';

type LinkMeaning = {
  readonly purpose: 'first operator' | 'sign-up' | 'new password' | 'invitation';
  readonly email: string | null;
  readonly account: 'new' | 'existing' | 'signed in';
  readonly second_factor: boolean;
  readonly invitation: { readonly kind: 'store' | 'operator' | 'creator'; readonly role: string | null } | null;
};

/** Where the links of all mails lead. The token stands behind the #, so no server's log sees it; the service tells what it is for. */
export function OneTimeLink() {
  const [token] = useState(() => location.hash.slice(1));
  const { for: purpose } = useSearch({ from: '/link' });
  return purpose === 'email' ? <EmailChangeLink token={token} /> : <AccountLink token={token} />;
}

function AccountLink({ token }: { readonly token: string }) {
  const meaning = useQuery({
    queryKey: ['one-time-link', token],
    queryFn: () => api.post<LinkMeaning>('/one-time-links/read', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const below = <TextLink to="/sign-in">Go to signing in</TextLink>;
  if (meaning.isPending) return <Door title="One moment" children={<Waiting />} />;
  if (meaning.isError && isOfTheLink(meaning.error)) {
    return (
      <Door title="This link does not work" below={below}>
        <ProblemNote problem={meaning.error} />
        <p>
          Each link works once, for a time. A new one for your password you get <TextLink to="/forgot-password">here</TextLink>; for a new
          invitation ask whoever invited you.
        </p>
      </Door>
    );
  }
  if (meaning.isError) {
    const note = <ProblemNote problem={meaning.error} onRetry={() => void meaning.refetch()} />;
    return <Door title="This link could not be read yet" below={below} children={note} />;
  }
  return <UseLink token={token} meaning={meaning.data} />;
}

/** Else the service was away or too busy, and the link may be as good as it was. */
const isOfTheLink = (problem: Error): boolean => problem instanceof ApiProblem && !isPassing(problem);

function UseLink({ token, meaning }: { readonly token: string; readonly meaning: LinkMeaning }) {
  const enter = useEnter();
  const { purpose, email, account, second_factor: withCode } = meaning;
  const isChosen = account === 'new' || purpose === 'new password';
  return (
    <Door title={titles[purpose]} intro={introOf(meaning)}>
      <Form
        send={(values) =>
          api.post<Session>('/one-time-links/use', {
            token,
            ...given(values),
            ...(purpose === 'new password' && { end_keys: values.all('end_keys').length > 0 }),
          })
        }
        done={enter}
        submit={submits[purpose]}
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
            label={isChosen ? 'Choose a password' : 'Your password'}
            {...(isChosen && {
              description: 'At least 10 characters. Several words in a row are easy to keep and hard to guess.',
              minLength: 10,
            })}
            autoComplete={isChosen ? 'new-password' : 'current-password'}
          />
        )}
        {withCode && <SecondFactorField />}
        {purpose === 'new password' && (
          <Choice
            name="end_keys"
            value="yes"
            defaultChecked
            label="Also revoke all API keys I created"
            description="Recommended if somebody else may know your password. All your sessions end in any case."
          />
        )}
      </Form>
    </Door>
  );
}

/** Only what was asked for: the service takes no field that has no meaning for this link. */
function given(values: Values): Readonly<Record<string, string>> {
  const typed = { email: values.text('email'), name: values.text('name'), password: values.exact('password'), code: values.text('code') };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
}

const titles = {
  'first operator': 'Welcome to Tributary',
  'sign-up': 'Finish your sign-up',
  'new password': 'Choose a new password',
  invitation: 'You are invited',
} as const satisfies Record<LinkMeaning['purpose'], string>;

const submits = {
  'first operator': 'Become the first operator',
  'sign-up': 'Make my account',
  'new password': 'Change my password',
  invitation: 'Accept the invitation',
} as const satisfies Record<LinkMeaning['purpose'], string>;

function introOf({ purpose, account, invitation }: LinkMeaning): string {
  switch (purpose) {
    case 'first operator':
      return 'This installation has nobody yet. You become its first operator, who may do everything and invite others.';
    case 'sign-up':
      return 'Your address is proved. Say how you are called and choose a password.';
    case 'new password':
      return 'All your other sessions end.';
    case 'invitation':
      return `${invitedTo(invitation)} ${account === 'new' ? 'Make your account to join.' : 'Accept to join with the account you have.'}`;
  }
}

function invitedTo(invitation: LinkMeaning['invitation']): string {
  switch (invitation?.kind) {
    case 'store':
      return `You are to work on a store, with the role “${invitation.role}”.`;
    case 'operator':
      return 'You are to run this installation as an operator.';
    default:
      return 'You are to look after a creator’s account: links, sales and payouts.';
  }
}
