import { useParams, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Logo } from '../../ui/icons.tsx';
import { CreatorNavigation, AccountNavigation, StoreNavigation } from './navigation.tsx';
import { InboxLink } from './inbox-link.tsx';
import { PaletteButton } from './palette-button.tsx';
import { AccountMenu, AreaMenu } from './lazy-menus.tsx';
import shell from '../../ui/shell.module.css';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

const OperatorNavigation = lazy(async () => ({ default: (await import('./operator-navigation.tsx')).OperatorNavigation }));

/** Shows the current area, its navigation and the signed-in person. */
export function Sidebar() {
  const { store } = useParams({ strict: false });
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <div className={styles.sidebar}>
      <div className={styles.brand}>
        <Logo />
        <span className={shell.name}>{t.sidebar.tributary}</span>
      </div>
      <AreaMenu />
      <PaletteButton />
      <nav aria-label={t.sidebar.pages} className={styles.links}>
        {store !== undefined ? (
          <StoreNavigation store={store} />
        ) : path.startsWith('/operator') ? (
          <Suspense>
            <OperatorNavigation />
          </Suspense>
        ) : path.startsWith('/creator') ? (
          <CreatorNavigation />
        ) : (
          <AccountNavigation />
        )}
      </nav>
      <div className={styles.footer}>
        <InboxLink />
        <AccountMenu />
      </div>
    </div>
  );
}
