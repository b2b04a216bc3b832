import { useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { AreaButton, PersonButton, TwoLineLabel, type MenuButtonProps } from './menu-buttons.tsx';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

const importAccountMenu = () => import('./account-menu.tsx');
const importAreaMenu = () => import('./area-menu.tsx');
const LoadedAccountMenu = lazy(async () => ({ default: (await importAccountMenu()).AccountMenu }));
const LoadedAreaMenu = lazy(async () => ({ default: (await importAreaMenu()).AreaMenu }));

/** The menu of the signed-in person. It loads when a pointer or the focus reaches its button, because most visits do not open it. */
export const AccountMenu = () => <LazyMenu button={PersonButton} load={importAccountMenu} menu={<LoadedAccountMenu />} />;

/** Shows the current area and links to the others. */
export function AreaMenu() {
  const { viewAs: viewed } = useRouteContext({ from: '/signed-in' }).session;
  if (viewed !== undefined)
    return <div className={styles.viewedAccount} children={<TwoLineLabel first={viewed.name} second={t.area_menu.read_only} />} />;
  return <LazyMenu button={AreaButton} load={importAreaMenu} menu={<LoadedAreaMenu />} />;
}

type LazyMenuProps = {
  readonly button: (props: MenuButtonProps) => ReactNode;
  readonly load: () => Promise<unknown>;
  /** Opens itself. */
  readonly menu: ReactNode;
};

function LazyMenu({ button: Button, load, menu }: LazyMenuProps) {
  const [isNeeded, setNeeded] = useState(false);
  const preload = () => void load();
  const button = (
    <Button aria-haspopup="menu" aria-expanded={false} onPointerEnter={preload} onFocus={preload} onClick={() => setNeeded(true)} />
  );
  return isNeeded ? <Suspense fallback={button}>{menu}</Suspense> : button;
}
