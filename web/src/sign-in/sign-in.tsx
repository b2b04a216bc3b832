import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiProblem } from '../api.ts';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import type { Session } from '../shell/session.ts';
import { Door } from './door.tsx';
import { useEnter } from './enter.ts';

type Credentials = { readonly email: string; readonly password: string };
type Outcome = { readonly is: 'entered'; readonly session: Session } | { readonly is: 'code wanted'; readonly credentials: Credentials };

/** Password first; the code of the second factor is asked only of those who have one. */
export function SignIn() {
  const [halfway, setHalfway] = useState<Credentials | null>(null);
  const enter = useEnter();
  const { next } = useSearch({ from: '/sign-in' });
  const kept = next === undefined ? {} : { next };
  if (halfway !== null) return <SecondFactor credentials={halfway} kept={kept} onBack={() => setHalfway(null)} />;
  return (
    <Door
      title="Sign in"
      below={
        <>
          New here?{' '}
          <TextLink to="/sign-up" search={kept}>
            Make an account
          </TextLink>
        </>
      }
    >
      <Form
        send={(values) => signIn({ email: values.text('email'), password: values.exact('password') })}
        done={(outcome) => (outcome.is === 'entered' ? enter(outcome.session) : setHalfway(outcome.credentials))}
        submit="Sign in"
        wide
        beside={<TextLink to="/forgot-password">I forgot my password</TextLink>}
      >
        <TextField name="email" label="E-mail" type="email" autoComplete="username" autoFocus />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
      </Form>
    </Door>
  );
}

async function signIn(credentials: Credentials): Promise<Outcome> {
  try {
    return { is: 'entered', session: await api.post<Session>('/session', credentials) };
  } catch (error) {
    if (error instanceof ApiProblem && error.reason === 'second_factor_required') return { is: 'code wanted', credentials };
    throw error;
  }
}

type SecondFactorProps = {
  readonly credentials: Credentials;
  /** Where one wanted to be, also as somebody else. */
  readonly kept: { readonly next?: string };
  readonly onBack: () => void;
};

function SecondFactor({ credentials, kept, onBack }: SecondFactorProps) {
  const enter = useEnter();
  return (
    <Door
      title="Second factor"
      intro="Open your authenticator app and enter the code it shows for Tributary. A recovery code works too, once."
    >
      <Form
        send={(values) => api.post<Session>('/session', { ...credentials, code: values.text('code') })}
        done={enter}
        submit="Sign in"
        wide
        beside={
          <TextLink to="/sign-in" search={kept} onClick={onBack}>
            Sign in as somebody else
          </TextLink>
        }
      >
        <TextField name="code" label="Code" autoComplete="one-time-code" autoFocus />
      </Form>
    </Door>
  );
}
