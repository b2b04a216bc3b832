import type { ReactNode } from 'react';
import styles from './row-buttons.module.css';

type OpenerProps = { readonly open: () => void; readonly says?: string; readonly children: ReactNode };

/** The name of a row, which opens its whole story. */
export const Opener = ({ open, says, children }: OpenerProps) => (
  <button type="button" className={styles.opener} aria-label={says} onClick={open}>
    {children}
  </button>
);

/** A name in a row that narrows the list to itself. */
export const Narrower = ({ name, narrow }: { readonly name: string; readonly narrow: () => void }) => (
  <button type="button" className={styles.narrower} title={`Only ${name}`} onClick={narrow}>
    {name}
  </button>
);
