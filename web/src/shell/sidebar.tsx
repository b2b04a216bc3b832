import { useParams, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Mark } from '../parts/icons.tsx';
import { AreaMenu } from './area-menu.tsx';
import { CreatorWays, OwnWays, StoreWays } from './ways.tsx';
import { PersonMenu } from './person-menu.tsx';
import shell from './shell.module.css';
import styles from './sidebar.module.css';

const OperatorWays = lazy(async () => ({ default: (await import('./operator-ways.tsx')).OperatorWays }));

/** Where one is, where one can go, who one is. */
export function Sidebar() {
  const { store } = useParams({ strict: false });
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <div className={styles.sidebar}>
      <div className={styles.brand}>
        <Mark />
        <span className={shell.name}>Tributary</span>
      </div>
      <AreaMenu />
      <nav aria-label="Pages" className={styles.ways}>
        {store !== undefined ? (
          <StoreWays store={store} />
        ) : path.startsWith('/operator') ? (
          <Suspense>
            <OperatorWays />
          </Suspense>
        ) : path.startsWith('/creator') ? (
          <CreatorWays />
        ) : (
          <OwnWays />
        )}
      </nav>
      <div className={styles.foot}>
        <PersonMenu />
      </div>
    </div>
  );
}
