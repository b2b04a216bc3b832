import { useRouteContext } from '@tanstack/react-router';
import { api, ApiProblem } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PasswordField, SecondFactorField } from '../parts/fields.tsx';
import { faultOf, Form, type Values } from '../parts/form.tsx';

/** Asks for the password once more, and for a code where there is a second factor. */
export function ProofForm({ opened, end }: { readonly opened: boolean; readonly end: (proved: boolean) => void }) {
  const { session } = useRouteContext({ from: '/inside' });
  return (
    <Dialog title="Is it still you?" opened={opened} onClose={() => end(false)}>
      <p style={{ marginTop: 0 }}>
        This changes money, access, or where data goes. Enter your password; for the next ten minutes you are not asked again.
      </p>
      <Form send={(values) => prove(values, session.second_factor)} done={() => end(true)} submit="Go on">
        <PasswordField name="password" label="Password" autoComplete="current-password" data-autofocus />
        {session.second_factor && <SecondFactorField />}
      </Form>
    </Dialog>
  );
}

/** The service says at this door what it says at the other, where an e-mail is asked for too: here it can only be the password. */
async function prove(values: Values, withCode: boolean): Promise<void> {
  try {
    await api.post('/session/proof', { password: values.exact('password'), ...(withCode && { code: values.text('code') }) });
  } catch (error) {
    throw error instanceof ApiProblem && error.reason === 'wrong_email_or_password' ? faultOf('password', 'is wrong') : error;
  }
}
