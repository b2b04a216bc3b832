import { Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Mark } from '../parts/icons.tsx';
import styles from './door.module.css';

type DoorProps = { readonly title: string; readonly intro?: ReactNode; readonly children: ReactNode; readonly below?: ReactNode };

/** The frame of the pages before one is signed in. */
export function Door({ title, intro, children, below }: DoorProps) {
  useEffect(() => {
    document.title = `${title} · Tributary`;
  }, [title]);
  return (
    <div className={styles.door}>
      <header className={styles.brand}>
        <Mark size={30} />
        <span className={styles.name}>Tributary</span>
      </header>
      <main className={styles.card}>
        <Title order={1}>{title}</Title>
        {intro && <div className={styles.intro}>{intro}</div>}
        <div className={styles.content}>{children}</div>
      </main>
      {below && <footer className={styles.below}>{below}</footer>}
    </div>
  );
}
