import type { ReactNode } from 'react';
import { Logo } from './icons.tsx';
import styles from './shell.module.css';

/** The frame of pages outside the shell: when the visitor is signed out, or when loading failed. */
export function CenteredPage({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <header className={styles.standaloneBar}>
        <Logo size={24} />
        <span className={styles.name}>Tributary</span>
      </header>
      <main>{children}</main>
    </>
  );
}
