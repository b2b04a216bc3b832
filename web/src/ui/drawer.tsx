import { useId, type ReactNode } from 'react';
import { OverlayHead } from './dialog.tsx';
import styles from './drawer.module.css';
import { Overlay } from './overlay.tsx';
import { t } from './messages.ts';

type DrawerProps = { readonly title: string; readonly opened: boolean; readonly onClose: () => void; readonly children: ReactNode };

/** The details of one row next to its list; on a narrow screen over it. Closing it returns to the row. */
export function Drawer({ title, opened, onClose, children }: DrawerProps) {
  const id = useId();
  return (
    <Overlay kind="drawer" opened={opened} onClose={onClose} aria-labelledby={id}>
      <OverlayHead id={id} title={title} onClose={onClose} />
      <div className={styles.body}>{children}</div>
    </Overlay>
  );
}

export function DrawerSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Raw JSON, collapsed because most people do not need it. */
export function RawJson({ value }: { readonly value: object }) {
  return (
    <details className={styles.raw}>
      <summary>{t.drawer.view_as_json}</summary>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
