import { useRouteContext } from '@tanstack/react-router';
import { api } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';

/** Asks for the password once more, and for a code where there is a second factor. */
export function ProofForm({ opened, end }: { readonly opened: boolean; readonly end: (proved: boolean) => void }) {
  const { session } = useRouteContext({ from: '/inside' });
  return (
    <Dialog title="Is it still you?" opened={opened} onClose={() => end(false)}>
      <p style={{ marginTop: 0 }}>This is delicate, so it needs a fresh proof. You are then not asked again for a while.</p>
      <Form
        send={(values) =>
          api.post('/session/proof', { password: values.exact('password'), ...(session.second_factor && { code: values.text('code') }) })
        }
        done={() => end(true)}
        submit="Go on"
      >
        <PasswordField name="password" label="Password" autoComplete="current-password" data-autofocus />
        {session.second_factor && (
          <TextField name="code" label="Code from your authenticator app" autoComplete="one-time-code" inputMode="numeric" />
        )}
      </Form>
    </Dialog>
  );
}
