import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Door } from './door.tsx';
import { NoMailServer, type AskedForLink, type LinkReply } from './no-mail-server.tsx';

/** The answer is the same whether the address is known or not, so that nobody can find out who is here. */
export function SignUp() {
  const [asked, setAsked] = useState<AskedForLink | null>(null);
  const { next } = useSearch({ from: '/sign-up' });
  const program = programIn(next);
  const below = (
    <>
      Already here?{' '}
      <TextLink to="/sign-in" search={next === undefined ? {} : { next }}>
        Sign in
      </TextLink>
    </>
  );
  if (asked?.delivered_by === 'operator') {
    return (
      <Door title="No mail was sent" below={below}>
        <NoMailServer asked={asked} />
        {program !== undefined && <p>The link works once and leads back to the program.</p>}
      </Door>
    );
  }
  if (asked !== null) {
    return (
      <Door title="Check your email" below={below}>
        <p>
          We sent a link to <strong>{asked.email}</strong>. Open it to choose a password; it works once
          {program !== undefined && ', and leads back to the program'}.
        </p>
        <p>Nothing there after a few minutes? Check your spam folder, or try again with another address.</p>
      </Door>
    );
  }
  return (
    <Door
      title="Make an account"
      intro="For merchants who pay partners for sales, and for creators who earn by them. We send you a link to go on."
      below={below}
    >
      <Form
        send={async (values) => {
          const email = values.text('email');
          const reply = await api.post<LinkReply>('/sign-ups', { email, ...(program !== undefined && { program_id: program }) });
          return { email, ...reply };
        }}
        done={setAsked}
        submit="Send me the link"
        wide
      >
        <TextField name="email" label="E-mail" type="email" autoComplete="email" autoFocus />
      </Form>
    </Door>
  );
}

/** The program from whose page one comes: the link in the mail leads back to it. */
const programIn = (next: string | undefined): string | undefined => /^\/programs\/(prog_[a-z0-9]{26})$/.exec(next ?? '')?.[1];
