import { ActionIcon } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon, Mark } from '../parts/icons.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { Sidebar } from './sidebar.tsx';
import styles from './shell.module.css';

/** The frame around every page inside: the way around on the left, on a narrow screen behind a button. */
export function Shell() {
  const [opened, setOpened] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const burger = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpened(false), [path]);
  const close = () => {
    setOpened(false);
    burger.current?.focus();
  };
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
          onClick={() => setOpened(!opened)}
        >
          <Icon name={opened ? 'close' : 'menu'} size={22} />
        </ActionIcon>
        <Mark size={24} />
        <span className={styles.name}>Tributary</span>
      </header>
      <div className={styles.veil} data-opened={opened || undefined} onClick={close} />
      <div
        id="sidebar"
        className={styles.sidebar}
        data-opened={opened || undefined}
        onKeyDown={(event) => event.key === 'Escape' && opened && close()}
      >
        <Sidebar />
      </div>
      <main id="content" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <ProofDialog />
      <Notifications position="bottom-right" limit={3} />
    </div>
  );
}
