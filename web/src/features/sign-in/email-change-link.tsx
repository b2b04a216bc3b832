import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { AuthLayout } from './auth-layout.tsx';

/** The target of the links about an email address: confirm the new one, or restore the former one. */
export function EmailChangeLink({ token }: { readonly token: string }) {
  const [ended, setEnded] = useState<string | null>(null);
  const client = useQueryClient();
  const meaning = useQuery({
    queryKey: ['email-change', token],
    queryFn: () => api.post('/email-changes/read', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const below = <TextLink to="/">Go to your dashboard</TextLink>;
  if (ended !== null) return <AuthLayout title="Done" below={below} children={<p>{ended}</p>} />;
  if (meaning.isPending) return <AuthLayout title="One moment" children={<LoadingSkeleton />} />;
  if (meaning.isError) return <AuthLayout title="This link does not work" below={below} children={<ErrorAlert error={meaning.error} />} />;
  const { does, former_email: former, email } = meaning.data;
  if (does === 'confirm')
    return (
      <AuthLayout title="Confirm your new address" below={below} intro={`Your account uses ${email} from then on, instead of ${former}.`}>
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
      </AuthLayout>
    );
  return (
    <AuthLayout title="Undo the change of address" below={below} intro={`The account gets ${former} back, instead of ${email}.`}>
      <Form
        send={() => api.post('/email-changes/undo', { token })}
        done={() => setEnded(`The account uses ${former} again. A link to choose a new password is on its way there.`)}
        submit="Undo the change"
        wide
      >
        <p style={{ margin: 0 }}>Everybody is signed out, and the password stops working.</p>
      </Form>
    </AuthLayout>
  );
}
