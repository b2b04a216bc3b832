import { Button } from './button.tsx';
import { useState, type ReactNode } from 'react';
import { CopyableValue, CopyTextButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import styles from './dialog.module.css';
import { t } from './messages.ts';

type SecretDialogProps = {
  readonly what: string;
  readonly secret: string | null;
  readonly forget: () => void;
  readonly children: ReactNode;
};

/** A secret of which the service stores only a hash. It cannot be shown again, so this dialog closes by its button only. */
export function SecretDialog({ what, secret, forget, children }: SecretDialogProps) {
  return (
    <Dialog title={t.secret_dialog.your_new({ what })} opened={secret !== null} onClose={forget} closesByButtonOnly>
      <div className={styles.text}>
        <p>
          <strong>{t.secret_dialog.copy_it_now_it_wont}</strong> {children}
        </p>
        <CopyableValue value={secret ?? ''} label={t.secret_dialog.the({ what })} />
      </div>
      <div className={styles.buttons}>
        <CopyTextButton value={secret ?? ''} label={t.secret_dialog.copy} />
        <Button onClick={forget}>{t.secret_dialog.ive_stored_it}</Button>
      </div>
    </Dialog>
  );
}

export function useSecretDialog() {
  const [secret, setSecret] = useState<string | null>(null);
  return { secret, show: setSecret, forget: () => setSecret(null) };
}
