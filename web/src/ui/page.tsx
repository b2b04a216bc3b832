import { Children, useEffect, useRef, type ReactNode } from 'react';
import styles from './page.module.css';
import { t } from './messages.ts';

type PageProps = {
  readonly title: string;
  /** Links to the parent pages, from the top. */
  readonly above?: ReactNode;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  readonly narrow?: boolean;
  readonly children: ReactNode;
};

/** The frame of a page: the document title and a heading, which takes the focus so that a screen reader announces the page. */
export function Page({ title, above, intro, actions, narrow = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t.page.tributary({ title });
    // A field with autofocus keeps the focus.
    if (!document.activeElement?.matches('input, textarea, select')) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={styles.page} data-narrow={narrow || undefined}>
      <header className={styles.head}>
        <div className={styles.text}>
          {above && <Breadcrumbs above={above} title={title} />}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <div className={styles.intro}>{intro}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** The way to a page below the pages of the menu. The parents are links, and the last one is the page itself. */
const Breadcrumbs = ({ above, title }: { readonly above: ReactNode; readonly title: string }) => (
  <nav aria-label={t.page.breadcrumbs} className={styles.above}>
    <ol>
      {Children.map(above, (parent) => (
        <li>{parent}</li>
      ))}
      <li aria-current="page">{title}</li>
    </ol>
  </nav>
);

type SectionProps = {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** For the only section of a page: its title is for screen readers only, because the page's title is the same. */
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
          <div className={styles.text}>
            <h2>{title}</h2>
            {intro && <div className={styles.intro}>{intro}</div>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}

/** Says what a list will show and what to do next. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      <div className={styles.intro}>{children}</div>
      {action && <div className={styles.emptyAction}>{action}</div>}
    </div>
  );
}
