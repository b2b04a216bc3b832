import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from './dialog.tsx';
import dialogStyles from './dialog.module.css';

/** Asks before a page with unsaved changes is left. Another search parameter of the same page is no departure. */
export function LeaveWarning({ isChanged }: { readonly isChanged: () => boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <Dialog title="Leave without saving?" opened={blocker.status === 'blocked'} onClose={stay}>
      <p className={dialogStyles.text}>Your changes on this page are not saved.</p>
      <div className={dialogStyles.buttons}>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
        <Button variant="default" onClick={stay} data-autofocus>
          Stay
        </Button>
      </div>
    </Dialog>
  );
}
