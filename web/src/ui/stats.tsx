import type { ReactNode } from 'react';
import styles from './stats.module.css';

type StatsProps = {
  readonly label?: string;
  /** Within a section, which has its own spacing. */
  readonly inside?: boolean;
  readonly children: ReactNode;
};

/** The key numbers of a page, side by side. */
export const Stats = ({ label, inside = false, children }: StatsProps) => (
  <dl className={styles.stats} aria-label={label} data-inside={inside || undefined}>
    {children}
  </dl>
);

type StatProps = { readonly name: string; readonly value: ReactNode; readonly detail: ReactNode };

export const Stat = ({ name, value, detail }: StatProps) => (
  <div className={styles.stat}>
    <dt>{name}</dt>
    <dd className={styles.value}>{value}</dd>
    <dd className={styles.detail}>{detail}</dd>
  </div>
);
