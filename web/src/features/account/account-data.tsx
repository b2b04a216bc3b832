import { Button } from '../../ui/button.tsx';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { downloadJson } from '../../ui/export-buttons.tsx';
import { clearSession } from '../../session/session.ts';
import styles from './account-data.module.css';
import { t } from './messages.ts';

/** The person's stored data as a file, and the deletion of the account. */
export function AccountData({ email }: { readonly email: string }) {
  const saving = useMutation({ mutationFn: async () => downloadJson(await api.get('/profile/export'), 'what-is-kept-about-me.json') });
  return (
    <Section title={t.account_data.your_data} intro={t.account_data.download_all_data_that_we}>
      <ErrorAlert error={saving.error} />
      <div className={styles.buttons}>
        <Button variant="default" size="xs" loading={saving.isPending} onClick={() => saving.mutate()}>
          {t.account_data.download_data}
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
    <ConfirmButton
      label={t.account_data.delete_account}
      variant="subtle"
      danger
      title={t.account_data.delete_your_account}
      confirm={t.account_data.delete_account_permanently}
      run={run}
    >
      <p>{t.account_data.you_cant_restore_after_deleting({ email })}</p>
    </ConfirmButton>
  );
}
