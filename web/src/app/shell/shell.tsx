import { IconButton } from '../../ui/button.tsx';
import { Outlet, useRouteContext, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { EnvironmentBanner } from '../../ui/environment-banner.tsx';
import { Icon, Logo } from '../../ui/icons.tsx';
import { ReadOnlyContext } from '../../ui/read-only.ts';
import { LazyToasts } from './toasts.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import styles from '../../ui/shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { t } from '../messages.ts';

const ViewAsBar = lazy(async () => ({ default: (await import('./view-as-bar.tsx')).ViewAsBar }));
const StandalonePage = lazy(async () => ({ default: (await import('./standalone-page.tsx')).StandalonePage }));

/** The frame of every signed-in page: navigation on the left, behind a button on narrow screens. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { viewAs: viewed, second_factor_required: mustSetUp } = useRouteContext({ from: '/signed-in' }).session;
  // The path on which the menu was opened: on the next page it is closed.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === path;
  const burger = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpenedOn(null);
    burger.current?.focus();
  };
  useEscape(opened, close);
  if (mustSetUp) {
    return (
      <Suspense>
        <StandalonePage />
      </Suspense>
    );
  }
  return (
    <div className={styles.shell}>
      <a href="#content" className="skip">
        {t.shell.skip_to_content}
      </a>
      <header className={styles.bar}>
        <IconButton
          ref={burger}
          size="lg"
          aria-label={opened ? t.shell.close_menu : t.shell.open_menu}
          aria-expanded={opened}
          aria-controls="sidebar"
          onClick={() => setOpenedOn(opened ? null : path)}
        >
          <Icon name={opened ? 'close' : 'menu'} size={22} />
        </IconButton>
        <Logo size={24} />
        <span className={styles.name}>{t.shell.tributary}</span>
      </header>
      {opened && <button type="button" className={styles.overlay} tabIndex={-1} aria-label={t.shell.close_menu} onClick={close} />}
      <aside id="sidebar" aria-label={t.shell.menu} className={styles.sidebar} data-opened={opened || undefined}>
        <Sidebar />
      </aside>
      <main id="content" className={styles.main} tabIndex={-1}>
        <EnvironmentBanner />
        {viewed !== undefined && (
          <Suspense>
            <ViewAsBar viewed={viewed} />
          </Suspense>
        )}
        <ReadOnlyContext value={viewed !== undefined}>
          <Outlet />
        </ReadOnlyContext>
      </main>
      <ProofDialog />
      <LazyToasts />
    </div>
  );
}

function useEscape(isOn: boolean, act: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && act();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
