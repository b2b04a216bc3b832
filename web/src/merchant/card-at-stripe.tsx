import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../api.ts';
import { useAction } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { storePath } from './stores-api.ts';

type Props = {
  readonly store: string;
  /** Where the method is set; its page at Stripe is begun below it. */
  readonly path: string;
  /** What Stripe names the entered card by, on the way back. */
  readonly back: 'card' | 'backup_card';
  readonly label: string;
};

/** The card is entered on Stripe's own page, which leads back here; then Stripe is asked whether it is there, and it is set. */
export function CardAtStripe({ store, path, back, label }: Props) {
  const { [back]: entered } = useSearch({ from: '/inside/stores/$store/billing' });
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const client = useQueryClient();
  const begin = useAction(async () => {
    const { url } = await api.post<{ readonly url: string }>(`${path}/setup`);
    location.assign(url);
  });
  const save = useAction(async () => {
    await api.put(path, { stripe: { setup_id: entered } });
    await navigate({ search: (now) => ({ ...now, [back]: undefined }), replace: true });
    await refresh(client, storePath(store));
    notifications.show({ message: 'The card is saved. What is open is charged to it.' });
  });
  const { run } = save;
  // Once for what came back: pressing again is only for where Stripe did not answer.
  useEffect(() => {
    if (entered !== undefined) run();
    // oxlint-disable-next-line react/exhaustive-deps -- `run` is another one with each drawing.
  }, [entered]);
  const problem = begin.problem ?? save.problem;
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      {entered !== undefined && (
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
