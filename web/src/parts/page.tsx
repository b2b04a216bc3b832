import { Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './page.module.css';

type PageProps = {
  readonly title: string;
  /** Where the page belongs: a link back to the page above it. */
  readonly above?: ReactNode;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  readonly narrow?: boolean;
  readonly children: ReactNode;
};

/** A page's frame: its name in the tab and as the heading, which takes the focus so that a screen reader says where one is. */
export function Page({ title, above, intro, actions, narrow = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Tributary`;
    // Whoever is typing already, because the page brought its field into focus, is left in peace.
    if (!document.activeElement?.matches('input, textarea, select')) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={styles.page} data-narrow={narrow || undefined}>
      <header className={styles.head}>
        <div className={styles.words}>
          {above && <div className={styles.above}>{above}</div>}
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {intro && <div className={styles.intro}>{intro}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

type SectionProps = {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** The only section of its page: the page's title is its title, and it is told to screen readers only. */
  readonly bare?: boolean;
  /** A table reaches the section's edges. */
  readonly flush?: boolean;
  readonly children: ReactNode;
};

export function Section({ title, intro, actions, bare = false, flush = false, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title} data-bare={bare || undefined}>
      {!bare && (
        <header className={styles.sectionHead}>
          <div className={styles.words}>
            <Title order={2}>{title}</Title>
            {intro && <div className={styles.intro}>{intro}</div>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}

/** Nothing here yet: says what it would be, and what to do next. */
export function Empty({ title, children, action }: { readonly title: string; readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      <div className={styles.intro}>{children}</div>
      {action && <div className={styles.emptyAction}>{action}</div>}
    </div>
  );
}
