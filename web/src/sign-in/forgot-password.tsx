import { useState } from 'react';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Door } from './door.tsx';
import { NoMailServer, type AskedForLink, type LinkReply } from './no-mail-server.tsx';

export function ForgotPassword() {
  const [asked, setAsked] = useState<AskedForLink | null>(null);
  const below = <TextLink to="/sign-in">Back to signing in</TextLink>;
  if (asked?.delivered_by === 'operator') {
    return <Door title="No mail was sent" below={below} children={<NoMailServer asked={asked} />} />;
  }
  if (asked !== null) {
    return (
      <Door title="Check your email" below={below}>
        <p>
          If <strong>{asked.email}</strong> has an account here, a link to choose a new password is on its way. It works once, for an hour.
        </p>
        <p>Nothing there after some minutes? Check your spam folder, and ask once more.</p>
      </Door>
    );
  }
  return (
    <Door title="Forgot your password?" intro="Enter your e-mail. We send a link with which you choose a new one." below={below}>
      <Form
        send={async (values) => {
          const email = values.text('email');
          return { email, ...(await api.post<LinkReply>('/password-resets', { email })) };
        }}
        done={setAsked}
        submit="Send me the link"
        wide
      >
        <TextField name="email" label="E-mail" type="email" autoComplete="username" autoFocus />
      </Form>
    </Door>
  );
}
