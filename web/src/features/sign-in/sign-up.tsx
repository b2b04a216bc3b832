import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { AuthLayout, EmailNotSent, type RequestedLink } from './auth-layout.tsx';

/** The response is the same for known and unknown addresses, so that it does not reveal who has an account. */
export function SignUp() {
  const [requested, setRequested] = useState<RequestedLink | null>(null);
  const { next } = useSearch({ from: '/sign-up' });
  const program = programIdIn(next);
  const below = (
    <>
      Already here?{' '}
      <TextLink to="/sign-in" search={next === undefined ? {} : { next }}>
        Sign in
      </TextLink>
    </>
  );
  if (requested?.delivered_by === 'operator') {
    return (
      <AuthLayout title="No mail was sent" below={below}>
        <EmailNotSent requested={requested} />
        {program !== undefined && <p>The link works once and leads back to the program.</p>}
      </AuthLayout>
    );
  }
  if (requested !== null) {
    return (
      <AuthLayout title="Check your email" below={below}>
        <p>
          We sent a link to <strong>{requested.email}</strong>. Open it to choose a password; it works once
          {program !== undefined && ', and leads back to the program'}.
        </p>
        <p>Nothing there after a few minutes? Check your spam folder, or try again with another address.</p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Make an account"
      intro="For merchants who pay partners for sales, and for creators who earn by them. We send you a link to go on."
      below={below}
    >
      <Form
        send={async (values) => {
          const email = values.text('email');
          const reply = await api.post('/sign-ups', { email, ...(program !== undefined && { program_id: program }) });
          return { email, ...reply };
        }}
        done={setRequested}
        submit="Send me the link"
        wide
      >
        <TextField name="email" label="E-mail" type="email" autoComplete="email" autoFocus />
      </Form>
    </AuthLayout>
  );
}

/** The program whose page led here: the link in the email leads back to it. */
const programIdIn = (next: string | undefined): string | undefined => /^\/programs\/(prog_[a-z0-9]{26})$/.exec(next ?? '')?.[1];
