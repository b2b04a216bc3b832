import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, listenToApi } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';

/** Opened by the service's `proof_required`, from wherever it came: once proved, what was asked goes on by itself. */
export function ProofDialog() {
  const { session } = useRouteContext({ from: '/inside' });
  const [opened, setOpened] = useState(false);
  const answer = useRef<(proved: boolean) => void>(() => {});

  useEffect(() => {
    listenToApi({
      askForProof: () =>
        new Promise<boolean>((resolve) => {
          answer.current = resolve;
          setOpened(true);
        }),
    });
    return () => listenToApi({ askForProof: async () => false });
  }, []);

  const end = (proved: boolean) => {
    setOpened(false);
    answer.current(proved);
  };
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
