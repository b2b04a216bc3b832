import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Copyable, CopyTextButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import styles from './dialog.module.css';

type ShownOnceProps = { readonly what: string; readonly secret: string | null; readonly forget: () => void; readonly children: ReactNode };

/** A secret that only its hash is kept of: it cannot be shown again, so this dialog goes away by its button only. */
export function ShownOnce({ what, secret, forget, children }: ShownOnceProps) {
  return (
    <Dialog title={`Your new ${what}`} opened={secret !== null} onClose={forget} onlyByButton>
      <div className={styles.text}>
        <p>
          <strong>Copy it now: it is shown this once.</strong> {children}
        </p>
        <Copyable value={secret ?? ''} label={`the ${what}`} />
      </div>
      <div className={styles.buttons}>
        <CopyTextButton value={secret ?? ''} label="Copy" />
        <Button onClick={forget}>I have stored it</Button>
      </div>
    </Dialog>
  );
}

export function useShownOnce() {
  const [secret, setSecret] = useState<string | null>(null);
  return { secret, show: setSecret, forget: () => setSecret(null) };
}
