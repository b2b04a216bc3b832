import { ActionIcon } from '@mantine/core';
import { Outlet, useRouteContext, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Icon, Mark } from '../parts/icons.tsx';
import { OnlyLooking } from '../parts/only-looking.ts';
import { Notes } from './notes.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

const ViewingBar = lazy(async () => ({ default: (await import('./viewing-bar.tsx')).ViewingBar }));
const OnlyThisPage = lazy(async () => ({ default: (await import('./only-this-page.tsx')).OnlyThisPage }));

/** The frame around every page inside: the way around on the left, on a narrow screen behind a button. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { viewing: viewed, second_factor_required: mustSetUp } = useRouteContext({ from: '/inside' }).session;
  // Where the menu was opened: on the next page it is closed again.
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
        <OnlyThisPage />
      </Suspense>
    );
  }
  return (
    <div className={styles.shell}>
      <a href="#content" className="skip">
        Skip to the page
      </a>
      <header className={styles.bar}>
        <ActionIcon
          ref={burger}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={opened ? 'Close the menu' : 'Open the menu'}
          aria-expanded={opened}
          aria-controls="sidebar"
          onClick={() => setOpenedOn(opened ? null : path)}
        >
          <Icon name={opened ? 'close' : 'menu'} size={22} />
        </ActionIcon>
        <Mark size={24} />
        <span className={styles.name}>Tributary</span>
      </header>
      {opened && <button type="button" className={styles.veil} tabIndex={-1} aria-label="Close the menu" onClick={close} />}
      <aside id="sidebar" aria-label="Menu" className={styles.sidebar} data-opened={opened || undefined}>
        <Sidebar />
      </aside>
      <main id="content" className={styles.main} tabIndex={-1}>
        {viewed !== undefined && (
          <Suspense>
            <ViewingBar viewed={viewed} />
          </Suspense>
        )}
        <OnlyLooking value={viewed !== undefined}>
          <Outlet />
        </OnlyLooking>
      </main>
      <ProofDialog />
      <Notes />
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
