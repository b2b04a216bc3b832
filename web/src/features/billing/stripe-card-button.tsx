import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { storePath } from '../stores/stores-api.ts';

type StripeCardButtonProps = {
  readonly store: string;
  /** The path of the payment method; its setup path is below it. */
  readonly path: string;
  /** The URL parameter with which Stripe returns the setup ID. */
  readonly returnParam: 'card' | 'backup_card';
  readonly label: string;
};

/** The card is entered on Stripe's page, which redirects back here; then the service asks Stripe for the card and saves it. */
export function StripeCardButton({ store, path, returnParam, label }: StripeCardButtonProps) {
  const { [returnParam]: setupId } = useSearch({ from: '/signed-in/stores/$store/billing' });
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const client = useQueryClient();
  const begin = useAction(async () => {
    const { url } = await api.post<{ readonly url: string }>(`${path}/setup`);
    location.assign(url);
  });
  const save = useAction(async () => {
    await api.put(path, { stripe: { setup_id: setupId } });
    await navigate({ search: (now) => ({ ...now, [returnParam]: undefined }), replace: true });
    await refresh(client, storePath(store));
    notifications.show({ message: 'The card is saved. What is open is charged to it.' });
  });
  const { run } = save;
  // Runs once per return from Stripe; the button is for retries after Stripe did not answer.
  useEffect(() => {
    if (setupId !== undefined) run();
    // oxlint-disable-next-line react/exhaustive-deps -- `run` is another one with each drawing.
  }, [setupId]);
  const problem = begin.problem ?? save.problem;
  return (
    <>
      {problem && <ErrorAlert error={problem} />}
      {setupId !== undefined && (
        <Button loading={save.running} onClick={run}>
          Save the card that was entered
        </Button>
      )}
      <Button variant="default" loading={begin.running} onClick={begin.run}>
        {label}
      </Button>
    </>
  );
}
