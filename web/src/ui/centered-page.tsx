import type { ReactNode } from 'react';
import { Logo } from './icons.tsx';
import styles from './shell.module.css';
import { t } from './messages.ts';

/** The frame of pages outside the shell: when the visitor is signed out, or when loading failed. */
export function CenteredPage({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <header className={styles.standaloneBar}>
        <Logo size={24} />
        <span className={styles.name}>{t.centered_page.tributary}</span>
      </header>
      <main>{children}</main>
    </>
  );
}
