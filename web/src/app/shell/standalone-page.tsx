import { Outlet } from '@tanstack/react-router';
import { CenteredPage } from '../../ui/centered-page.tsx';
import { LazyToasts } from './toasts.tsx';
import { AccountMenu } from './lazy-menus.tsx';
import { ProofDialog } from './proof-dialog.tsx';

/** For operators who must set up a second factor first. All other requests would be rejected, so there is no navigation. */
export function StandalonePage() {
  return (
    <>
      <CenteredPage>
        <Outlet />
        <AccountMenu />
      </CenteredPage>
      <ProofDialog />
      <LazyToasts />
    </>
  );
}
