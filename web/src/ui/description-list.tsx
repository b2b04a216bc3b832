import type { ReactNode } from 'react';
import styles from './description-list.module.css';

/** Names and values, one below the other. */
export function DescriptionList({ items }: { readonly items: ReadonlyArray<readonly [name: string, value: ReactNode]> }) {
  return (
    <dl className={styles.facts}>
      {items.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
