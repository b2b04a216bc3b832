import { Drawer as Panel } from '@mantine/core';
import type { ReactNode } from 'react';
import dialog from './dialog.module.css';
import styles from './drawer.module.css';
import { t } from './messages.ts';

type DrawerProps = { readonly title: string; readonly opened: boolean; readonly onClose: () => void; readonly children: ReactNode };

/** The details of one row next to its list; on a narrow screen over it. Closing it returns to the row. */
export function Drawer({ title, opened, onClose, children }: DrawerProps) {
  return (
    <Panel
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size={560}
      classNames={{ title: dialog.title ?? '', body: styles.body ?? '' }}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ 'aria-label': t.drawer.close }}
    >
      {children}
    </Panel>
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
