import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { toasts as store, type Toast } from '../../ui/toasts.ts';
import { t } from '../../ui/messages.ts';
import styles from './toast-list.module.css';

/** Long enough to read two lines. */
const shownMs = 4_000;

/** Above dialogs, which may have caused a toast. */
export const ToastList = ({ toasts }: { readonly toasts: readonly Toast[] }) =>
  createPortal(
    <div className={styles.list}>
      {toasts.map((toast) => (
        <ShownToast key={toast.id} toast={toast} />
      ))}
    </div>,
    document.body,
  );

function ShownToast({ toast }: { readonly toast: Toast }) {
  const { id, title, message, color = 'accent', autoClose = shownMs, withCloseButton = true } = toast;
  // Who reads it, or presses its button, keeps it.
  const [isHeld, setHeld] = useState(false);
  useAutoClose(id, isHeld ? false : autoClose);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    // Only holds it: every action has a button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="alert"
      className={styles.toast}
      data-color={color}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <div className={styles.text}>
        {title !== undefined && <div className={styles.title}>{title}</div>}
        {message}
      </div>
      {withCloseButton && (
        <IconButton aria-label={t.drawer.close} onClick={() => store.hide(id)}>
          <Icon name="close" size={16} />
        </IconButton>
      )}
    </div>
  );
}

/** Starts again with each change. */
function useAutoClose(id: string, afterMs: number | false): void {
  const close = useRef(() => store.hide(id));
  useEffect(() => {
    if (afterMs === false) return undefined;
    const timer = setTimeout(close.current, afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
}
