import { useState } from 'react';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { AuthLayout, EmailNotSent, type RequestedLink } from './auth-layout.tsx';

export function ForgotPassword() {
  const [requested, setRequested] = useState<RequestedLink | null>(null);
  const below = <TextLink to="/sign-in">Back to signing in</TextLink>;
  if (requested?.delivered_by === 'operator') {
    return <AuthLayout title="No mail was sent" below={below} children={<EmailNotSent requested={requested} />} />;
  }
  if (requested !== null) {
    return (
      <AuthLayout title="Check your email" below={below}>
        <p>
          If <strong>{requested.email}</strong> has an account here, a link to choose a new password is on its way. It works once, for an
          hour.
        </p>
        <p>Nothing there after some minutes? Check your spam folder, and ask once more.</p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Forgot your password?" intro="Enter your e-mail. We send a link with which you choose a new one." below={below}>
      <Form
        send={async (values) => {
          const email = values.text('email');
          return { email, ...(await api.post('/password-resets', { email })) };
        }}
        done={setRequested}
        submit="Send me the link"
        wide
      >
        <TextField name="email" label="E-mail" type="email" autoComplete="username" autoFocus />
      </Form>
    </AuthLayout>
  );
}
