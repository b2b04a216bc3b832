import { Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Mark } from '../parts/icons.tsx';
import styles from './door.module.css';

type DoorProps = { readonly title: string; readonly intro?: ReactNode; readonly children: ReactNode; readonly below?: ReactNode };

/** The frame of the pages before one is signed in. */
export function Door({ title, intro, children, below }: DoorProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useEffect(() => {
    document.title = `${title} · Tributary`;
    // What had the focus went with the page before: who cannot see the new one hears its title.
    if (shown.current !== title && document.activeElement === document.body) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <div className={styles.door}>
      <header className={styles.brand}>
        <Mark size={30} />
        <span className={styles.name}>Tributary</span>
      </header>
      <main className={styles.card}>
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {intro && <div className={styles.intro}>{intro}</div>}
        <div className={styles.content}>{children}</div>
      </main>
      {below && <footer className={styles.below}>{below}</footer>}
    </div>
  );
}
