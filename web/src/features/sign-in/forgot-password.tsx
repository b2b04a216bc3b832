import { useState } from 'react';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { AuthLayout, EmailNotSent, type RequestedLink } from './auth-layout.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

export function ForgotPassword() {
  const [requested, setRequested] = useState<RequestedLink | null>(null);
  const below = <TextLink to="/sign-in">{t.forgot_password.back_to_signing_in}</TextLink>;
  if (requested?.delivered_by === 'operator') {
    return <AuthLayout title={t.forgot_password.no_mail_was_sent} below={below} children={<EmailNotSent requested={requested} />} />;
  }
  if (requested !== null) {
    return (
      <AuthLayout title={t.forgot_password.check_your_email} below={below}>
        <p>{rich(t.forgot_password.if_has_an_account_here, { b: <strong>{requested.email}</strong> })}</p>
        <p>{t.forgot_password.nothing_there_after_some_minutes}</p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t.forgot_password.forgot_your_password} intro={t.forgot_password.enter_your_e_mail_we} below={below}>
      <Form
        send={async (values) => {
          const email = values.text('email');
          return { email, ...(await api.post('/password-resets', { email })) };
        }}
        done={setRequested}
        submit={t.forgot_password.send_me_the_link}
        wide
      >
        <TextField name="email" label={t.forgot_password.e_mail} type="email" autoComplete="username" autoFocus />
      </Form>
    </AuthLayout>
  );
}
