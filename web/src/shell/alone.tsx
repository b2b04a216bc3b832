import type { ReactNode } from 'react';
import { Mark } from '../parts/icons.tsx';
import styles from './shell.module.css';

/** The frame of a page that stands outside of the shell, because nobody is signed in or nothing is known. */
export function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <header className={styles.aloneBar}>
        <Mark size={24} />
        <span className={styles.name}>Tributary</span>
      </header>
      <main>{children}</main>
    </>
  );
}
