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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type Credentials = { readonly email: string; readonly password: string };
type Outcome = { readonly is: 'entered'; readonly session: Session } | { readonly is: 'code_required'; readonly credentials: Credentials };

/** Password first; the second factor's code is requested only from people who have one. */
export function SignIn() {
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const startSession = useStartSession();
  const { next } = useSearch({ from: '/sign-in' });
  const nextSearch = next === undefined ? {} : { next };
  if (credentials !== null) return <SecondFactor credentials={credentials} nextSearch={nextSearch} onBack={() => setCredentials(null)} />;
  return (
    <AuthLayout
      title={t.sign_in.sign_in}
      below={
        <>
          {rich(t.sign_in.new_to_tributary_create_an, {
            link: <TextLink to="/sign-up" search={nextSearch} />,
          })}
        </>
      }
    >
      <Form
        send={(values) => signIn({ email: values.text('email'), password: values.raw('password') })}
        done={(outcome) => (outcome.is === 'entered' ? startSession(outcome.session) : setCredentials(outcome.credentials))}
        submit={t.sign_in.sign_in}
        wide
        beside={<TextLink to="/forgot-password">{t.sign_in.forgot_password}</TextLink>}
      >
        <TextField name="email" label={t.sign_in.email} type="email" autoComplete="username" autoFocus />
        <PasswordField name="password" label={t.sign_in.password} autoComplete="current-password" />
      </Form>
    </AuthLayout>
  );
}

async function signIn(credentials: Credentials): Promise<Outcome> {
  try {
    return { is: 'entered', session: await api.post('/session', credentials) };
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'second_factor_required') return { is: 'code_required', credentials };
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
    <AuthLayout title={t.sign_in.two_factor_authentication} intro={t.sign_in.enter_the_code_that_your}>
      <Form
        send={(values) => api.post('/session', { ...credentials, code: values.text('code') })}
        done={enter}
        submit={t.sign_in.sign_in}
        wide
        beside={
          <TextLink to="/sign-in" search={nextSearch} onClick={onBack}>
            {t.sign_in.use_another_account}
          </TextLink>
        }
      >
        <TextField name="code" label={t.sign_in.code} autoComplete="one-time-code" autoFocus />
      </Form>
    </AuthLayout>
  );
}
