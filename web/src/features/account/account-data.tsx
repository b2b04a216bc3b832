import { Button } from '@mantine/core';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { downloadJson } from '../../ui/export-buttons.tsx';
import { clearSession } from '../../session/session.ts';
import styles from './account-data.module.css';

/** The person's stored data as a file, and the deletion of the account. */
export function AccountData({ email }: { readonly email: string }) {
  const saving = useMutation({ mutationFn: async () => downloadJson(await api.get('/profile/export'), 'what-is-kept-about-me.json') });
  return (
    <Section
      title="What is kept about you"
      intro="All of it as one file, row by row. Erased, your name, address, accounts and words go; amounts and dates stay in the books, without a name."
    >
      <ErrorAlert error={saving.error} />
      <div className={styles.buttons}>
        <Button variant="default" size="xs" loading={saving.isPending} onClick={() => saving.mutate()}>
          Save it as a file
        </Button>
        <EraseAccountButton email={email} />
      </div>
    </Section>
  );
}

function EraseAccountButton({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const router = useRouter();
  const run = async () => {
    await api.post('/profile/erase', {});
    await clearSession(client, () => router.navigate({ to: '/sign-in' }));
  };
  return (
    <ConfirmButton label="Erase my account" variant="subtle" danger title="Erase your account?" confirm="Erase it for good" run={run}>
      <p>
        Nobody can bring {email} back. You leave all stores and programs, and your links lead on without counting. API keys you made end
        too. It is refused while you are owed money, while a store has no other owner, or while nobody else operates this installation.
      </p>
    </ConfirmButton>
  );
}
