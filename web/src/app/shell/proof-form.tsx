import { useRouteContext } from '@tanstack/react-router';
import { api, ApiError } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SecondFactorField } from '../../ui/fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { t } from '../messages.ts';

/** Asks for the password again, and for a code where a second factor is set up. */
export function ProofForm({ opened, end }: { readonly opened: boolean; readonly end: (proved: boolean) => void }) {
  const { session } = useRouteContext({ from: '/signed-in' });
  return (
    <Dialog title={t.proof_form.confirm_your_password} opened={opened} onClose={() => end(false)}>
      <p style={{ marginTop: 0 }}>{t.proof_form.this_action_changes_money_access}</p>
      <Form send={(values) => submitProof(values, session.second_factor)} done={() => end(true)} submit={t.proof_form.continue}>
        <PasswordField name="password" label={t.proof_form.password} autoComplete="current-password" data-autofocus />
        {session.second_factor && <SecondFactorField />}
      </Form>
    </Dialog>
  );
}

/** The service answers as at sign-in, where the email could be wrong too: here it can only be the password. */
async function submitProof(values: Values, withCode: boolean): Promise<void> {
  try {
    await api.post('/session/proof', { password: values.raw('password'), ...(withCode && { code: values.text('code') }) });
  } catch (error) {
    throw error instanceof ApiError && error.reason === 'wrong_email_or_password'
      ? fieldError('password', t.proof_form.is_incorrect)
      : error;
  }
}
