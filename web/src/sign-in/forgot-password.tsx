import { useState } from 'react';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Door } from './door.tsx';

export function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const below = <TextLink to="/sign-in">Back to signing in</TextLink>;
  if (sentTo !== null) {
    return (
      <Door title="Look into your mail" below={below}>
        <p>
          If <strong>{sentTo}</strong> has an account here, a link to choose a new password is on its way. It works once, for an hour.
        </p>
        <p>Nothing there after some minutes? Look among the unwanted mails, and ask once more.</p>
      </Door>
    );
  }
  return (
    <Door title="Forgot your password?" intro="Enter your e-mail. We send a link with which you choose a new one." below={below}>
      <Form
        send={async (values) => {
          await api.post('/password-resets', { email: values.text('email') });
          return values.text('email');
        }}
        done={setSentTo}
        submit="Send me the link"
        wide
      >
        <TextField name="email" label="E-mail" type="email" autoComplete="username" autoFocus />
      </Form>
    </Door>
  );
}
