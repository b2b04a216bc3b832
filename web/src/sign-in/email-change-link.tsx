import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Door } from './door.tsx';

type Meaning = { readonly does: 'confirm' | 'undo'; readonly former_email: string; readonly email: string };

/** Where the links about an e-mail address lead: confirm the new one, or take the former one back. */
export function EmailChangeLink({ token }: { readonly token: string }) {
  const [ended, setEnded] = useState<string | null>(null);
  const client = useQueryClient();
  const meaning = useQuery({
    queryKey: ['email-change', token],
    queryFn: () => api.post<Meaning>('/email-changes/read', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const below = <TextLink to="/">Go to your dashboard</TextLink>;
  if (ended !== null) return <Door title="Done" below={below} children={<p>{ended}</p>} />;
  if (meaning.isPending) return <Door title="One moment" children={<Waiting />} />;
  if (meaning.isError) return <Door title="This link does not work" below={below} children={<ProblemNote problem={meaning.error} />} />;
  const { does, former_email: former, email } = meaning.data;
  if (does === 'confirm')
    return (
      <Door title="Confirm your new address" below={below} intro={`Your account uses ${email} from then on, instead of ${former}.`}>
        <Form
          send={() => api.post('/email-changes/confirm', { token })}
          done={async () => {
            await client.invalidateQueries();
            setEnded(`Your account now uses ${email}. Your other sessions ended.`);
          }}
          submit="Confirm the address"
          wide
        >
          <p style={{ margin: 0 }}>It works only where you are signed in with this account.</p>
        </Form>
      </Door>
    );
  return (
    <Door title="Undo the change of address" below={below} intro={`The account gets ${former} back, instead of ${email}.`}>
      <Form
        send={() => api.post('/email-changes/undo', { token })}
        done={() => setEnded(`The account uses ${former} again. A link to choose a new password is on its way there.`)}
        submit="Undo the change"
        wide
      >
        <p style={{ margin: 0 }}>Everybody is signed out, and the password stops working.</p>
      </Form>
    </Door>
  );
}
