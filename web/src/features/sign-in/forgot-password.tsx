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
  const below = <TextLink to="/sign-in">{t.forgot_password.back_to_sign_in}</TextLink>;
  if (requested?.delivered_by === 'operator') {
    return <AuthLayout title={t.forgot_password.email_not_sent} below={below} children={<EmailNotSent requested={requested} />} />;
  }
  if (requested !== null) {
    return (
      <AuthLayout title={t.forgot_password.check_your_email} below={below}>
        <p>{rich(t.forgot_password.if_an_account_exists_for, { b: <strong>{requested.email}</strong> })}</p>
        <p>{t.forgot_password.no_email_after_a_few}</p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t.forgot_password.forgot_your_password} intro={t.forgot_password.enter_your_email_address_well} below={below}>
      <Form
        send={async (values) => {
          const email = values.text('email');
          return { email, ...(await api.post('/password-resets', { email })) };
        }}
        done={setRequested}
        submit={t.forgot_password.send_link}
        wide
      >
        <TextField name="email" label={t.forgot_password.email} type="email" autoComplete="username" autoFocus />
      </Form>
    </AuthLayout>
  );
}
