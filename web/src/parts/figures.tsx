import type { ReactNode } from 'react';
import styles from './figures.module.css';

type FiguresProps = {
  readonly label?: string;
  /** Within a section, which has its own distance to what follows. */
  readonly inside?: boolean;
  readonly children: ReactNode;
};

/** The few numbers that a page is about, beside one another. */
export const Figures = ({ label, inside = false, children }: FiguresProps) => (
  <dl className={styles.figures} aria-label={label} data-inside={inside || undefined}>
    {children}
  </dl>
);

type FigureProps = { readonly name: string; readonly value: ReactNode; readonly about: ReactNode };

export const Figure = ({ name, value, about }: FigureProps) => (
  <div className={styles.figure}>
    <dt>{name}</dt>
    <dd className={styles.value}>{value}</dd>
    <dd className={styles.about}>{about}</dd>
  </div>
);
