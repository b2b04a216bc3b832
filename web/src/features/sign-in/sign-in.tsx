import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiError } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import type { Session } from '../../session/session.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useStartSession } from './start-session.ts';

type Credentials = { readonly email: string; readonly password: string };
type Outcome = { readonly is: 'entered'; readonly session: Session } | { readonly is: 'code wanted'; readonly credentials: Credentials };

/** Password first; the second factor's code is requested only from people who have one. */
export function SignIn() {
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const startSession = useStartSession();
  const { next } = useSearch({ from: '/sign-in' });
  const nextSearch = next === undefined ? {} : { next };
  if (credentials !== null) return <SecondFactor credentials={credentials} nextSearch={nextSearch} onBack={() => setCredentials(null)} />;
  return (
    <AuthLayout
      title="Sign in"
      below={
        <>
          New here?{' '}
          <TextLink to="/sign-up" search={nextSearch}>
            Make an account
          </TextLink>
        </>
      }
    >
      <Form
        send={(values) => signIn({ email: values.text('email'), password: values.raw('password') })}
        done={(outcome) => (outcome.is === 'entered' ? startSession(outcome.session) : setCredentials(outcome.credentials))}
        submit="Sign in"
        wide
        beside={<TextLink to="/forgot-password">I forgot my password</TextLink>}
      >
        <TextField name="email" label="E-mail" type="email" autoComplete="username" autoFocus />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
      </Form>
    </AuthLayout>
  );
}

async function signIn(credentials: Credentials): Promise<Outcome> {
  try {
    return { is: 'entered', session: await api.post('/session', credentials) };
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'second_factor_required') return { is: 'code wanted', credentials };
    throw error;
  }
}

type SecondFactorProps = {
  readonly credentials: Credentials;
  /** The page to open after sign-in, also when another person signs in. */
  readonly nextSearch: { readonly next?: string };
  readonly onBack: () => void;
};

function SecondFactor({ credentials, nextSearch, onBack }: SecondFactorProps) {
  const enter = useStartSession();
  return (
    <AuthLayout
      title="Second factor"
      intro="Open your authenticator app and enter the code it shows for Tributary. A recovery code works too, once."
    >
      <Form
        send={(values) => api.post('/session', { ...credentials, code: values.text('code') })}
        done={enter}
        submit="Sign in"
        wide
        beside={
          <TextLink to="/sign-in" search={nextSearch} onClick={onBack}>
            Sign in as somebody else
          </TextLink>
        }
      >
        <TextField name="code" label="Code" autoComplete="one-time-code" autoFocus />
      </Form>
    </AuthLayout>
  );
}
