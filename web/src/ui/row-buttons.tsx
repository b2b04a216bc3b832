import type { ReactNode } from 'react';
import styles from './row-buttons.module.css';
import { t } from './messages.ts';

type OpenButtonProps = { readonly open: () => void; readonly ariaLabel?: string; readonly children: ReactNode };

/** The name of a row, which opens its details. */
export const OpenButton = ({ open, ariaLabel, children }: OpenButtonProps) => (
  <button type="button" className={styles.openButton} aria-label={ariaLabel} onClick={open}>
    {children}
  </button>
);

/** A name in a row that filters the list by it. */
export const FilterButton = ({ name, narrow }: { readonly name: string; readonly narrow: () => void }) => (
  <button type="button" className={styles.filterButton} title={t.row_buttons.show_only({ name })} onClick={narrow}>
    {name}
  </button>
);
