import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the command palette, as do ⌘K and Ctrl K. The palette itself loads when it is first opened. */
export function PaletteButton() {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || !(isMac ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      setOpened((now) => !now);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.search}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => setOpened(true)}
      >
        <Icon name="search" />
        <span className={styles.linkLabel}>{t.palette.search}</span>
        <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {opened && <Suspense children={<CommandPalette close={() => setOpened(false)} />} />}
    </>
  );
}
