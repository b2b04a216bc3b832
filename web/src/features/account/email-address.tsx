import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';

type Pending = { readonly pending: { readonly email: string; readonly expires_at: string } | null };
const path = '/profile/email';

/** A link confirms the new address; the former address can undo the change for 7 days. */
export function EmailAddress({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const change = useQuery(apiQuery<Pending>(path));
  const pending = change.data?.pending ?? null;
  const done = async ({ pending: requested }: Pending) => {
    await refresh(client, path);
    notifications.show({ message: `A link is on its way to ${requested?.email ?? 'the new address'}.` });
  };
  return (
    <Section
      title="E-mail address"
      intro="A change asks for your password. A link goes to the new address, and your other sessions end. The former address can undo it for 7 days."
    >
      <p style={{ marginTop: 0 }}>
        Now: <strong>{email}</strong>
      </p>
      {pending !== null && (
        <p>
          Waiting for {pending.email} to be confirmed, until <Time at={pending.expires_at} />.{' '}
          <ConfirmButton
            label="Cancel the change"
            variant="subtle"
            title="Cancel the change of address?"
            confirm="Cancel the change"
            run={async () => {
              await api.delete(path);
              await refresh(client, path);
            }}
          >
            <p>The link that was sent to {pending.email} stops working.</p>
          </ConfirmButton>
        </p>
      )}
      <Form send={(values) => api.post<Pending>(path, { email: values.text('email') })} done={done} submit="Change the address" clears>
        <TextField name="email" label="New e-mail address" type="email" autoComplete="email" maxLength={254} />
      </Form>
    </Section>
  );
}
