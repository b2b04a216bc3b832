import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { t } from './messages.ts';

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
  const below = <TextLink to="/">{t.email_change_link.go_to_dashboard}</TextLink>;
  if (ended !== null) return <AuthLayout title={t.email_change_link.email_address_updated} below={below} children={<p>{ended}</p>} />;
  if (meaning.isPending) return <AuthLayout title={t.email_change_link.checking_your_link} children={<LoadingSkeleton />} />;
  if (meaning.isError)
    return <AuthLayout title={t.email_change_link.this_link_isnt_valid} below={below} children={<ErrorAlert error={meaning.error} />} />;
  const { does, former_email: former, email } = meaning.data;
  if (does === 'confirm')
    return (
      <AuthLayout
        title={t.email_change_link.confirm_your_new_email_address}
        below={below}
        intro={t.email_change_link.your_account_will_use_instead({ email, former })}
      >
        <Form
          send={() => api.post('/email-changes/confirm', { token })}
          done={async () => {
            await client.invalidateQueries();
            setEnded(t.email_change_link.your_account_now_uses_you({ email }));
          }}
          submit={t.email_change_link.confirm_email_address}
          wide
        >
          <p style={{ margin: 0 }}>{t.email_change_link.you_must_be_signed_in}</p>
        </Form>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title={t.email_change_link.undo_the_email_address_change}
      below={below}
      intro={t.email_change_link.your_account_will_use_again({ former, email })}
    >
      <Form
        send={() => api.post('/email-changes/undo', { token })}
        done={() => setEnded(t.email_change_link.your_account_uses_again_we({ former }))}
        submit={t.email_change_link.undo_change}
        wide
      >
        <p style={{ margin: 0 }}>{t.email_change_link.this_signs_you_out_on}</p>
      </Form>
    </AuthLayout>
  );
}
