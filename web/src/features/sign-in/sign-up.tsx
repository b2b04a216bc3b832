import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { AuthLayout, EmailNotSent, type RequestedLink } from './auth-layout.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The response is the same for known and unknown addresses, so that it does not reveal who has an account. */
export function SignUp() {
  const [requested, setRequested] = useState<RequestedLink | null>(null);
  const { next } = useSearch({ from: '/sign-up' });
  const program = programIdIn(next);
  const below = (
    <>
      {rich(t.sign_up.already_have_an_account_sign, {
        link: <TextLink to="/sign-in" search={next === undefined ? {} : { next }} />,
      })}
    </>
  );
  if (requested?.delivered_by === 'operator') {
    return (
      <AuthLayout title={t.sign_up.email_not_sent} below={below}>
        <EmailNotSent requested={requested} />
        {program !== undefined && <p>{t.sign_up.the_link_works_once_and}</p>}
      </AuthLayout>
    );
  }
  if (requested !== null) {
    return (
      <AuthLayout title={t.sign_up.check_your_email} below={below}>
        <p>
          {rich(program === undefined ? t.sign_up.we_sent_a_link_to : t.sign_up.we_sent_a_link_to_2, {
            b: <strong>{requested.email}</strong>,
          })}
        </p>
        <p>{t.sign_up.no_email_after_a_few}</p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t.sign_up.create_account} intro={t.sign_up.for_merchants_who_pay_partners} below={below}>
      <Form
        send={async (values) => {
          const email = values.text('email');
          const reply = await api.post('/sign-ups', { email, ...(program !== undefined && { program_id: program }) });
          return { email, ...reply };
        }}
        done={setRequested}
        submit={t.sign_up.send_link}
        wide
      >
        <TextField name="email" label={t.sign_up.email} type="email" autoComplete="email" autoFocus />
      </Form>
    </AuthLayout>
  );
}

/** The program whose page led here: the link in the email leads back to it. */
const programIdIn = (next: string | undefined): string | undefined => /^\/programs\/(prog_[a-z0-9]{26})$/.exec(next ?? '')?.[1];
