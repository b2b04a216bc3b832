import { Button } from './button.tsx';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from './dialog.tsx';
import dialogStyles from './dialog.module.css';
import { t } from './messages.ts';

/** Asks before a page with unsaved changes is left. Another search parameter of the same page is no departure. */
export function LeaveWarning({ isChanged }: { readonly isChanged: () => boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <Dialog title={t.leave_warning.leave_without_saving} opened={blocker.status === 'blocked'} onClose={stay}>
      <p className={dialogStyles.text}>{t.leave_warning.your_changes_on_this_page}</p>
      <div className={dialogStyles.buttons}>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          {t.leave_warning.leave_page}
        </Button>
        <Button variant="default" onClick={stay} data-autofocus>
          {t.leave_warning.stay_on_page}
        </Button>
      </div>
    </Dialog>
  );
}
