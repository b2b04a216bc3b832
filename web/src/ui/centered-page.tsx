import type { ReactNode } from 'react';
import { EnvironmentBanner } from './environment-banner.tsx';
import { Logo } from './icons.tsx';
import styles from './shell.module.css';
import { t } from './messages.ts';

type CenteredPageProps = { readonly children: ReactNode; readonly action?: ReactNode };

/** The frame of pages outside the shell: when the visitor is signed out, or when loading failed. */
export function CenteredPage({ children, action }: CenteredPageProps) {
  return (
    <>
      <EnvironmentBanner />
      <header className={styles.standaloneBar}>
        <Logo size={24} />
        <span className={styles.name}>{t.centered_page.tributary}</span>
        {action !== undefined && <div className={styles.barAction}>{action}</div>}
      </header>
      <main>{children}</main>
    </>
  );
}
