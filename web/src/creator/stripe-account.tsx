import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../api.ts';
import { useAction } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import styles from './creator.module.css';

/** Stripe asks who one is on its own pages, and leads back here; then one more press makes it the payout method. */
export function StripeAccount({ creator }: { readonly creator: string }) {
  const { stripe } = useSearch({ from: '/inside/creator/settings' });
  const client = useQueryClient();
  const path = `/creators/${creator}/payout-method/connect`;
  const begin = useAction(async () => {
    const { url } = await api.post<{ readonly url: string }>(path);
    location.assign(url);
  });
  const finish = useAction(async () => {
    await api.put(path, {});
    await refresh(client, `/creators/${creator}`);
    notifications.show({ message: 'You are paid through Stripe.' });
  });
  const problem = begin.problem ?? finish.problem;
  return (
    <div className={styles.stripe}>
      {problem && <ProblemNote problem={problem} />}
      {stripe === 'back' && (
        <Button loading={finish.running} onClick={finish.run}>
          Be paid to this Stripe account
        </Button>
      )}
      <Button variant="default" loading={begin.running} onClick={begin.run}>
        {stripe === undefined ? 'Be paid through Stripe' : 'Open Stripe’s form again'}
      </Button>
    </div>
  );
}
