import { useMutation } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icons.tsx';
import { Overlay } from './overlay.tsx';
import { useReadOnly } from './read-only.ts';
import { ErrorAlert } from './error-alert.tsx';
import styles from './dialog.module.css';
import { t } from './messages.ts';

type DialogProps = {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A secret that is shown once must not be lost by an accidental click or key press. */
  readonly closesByButtonOnly?: boolean;
  readonly children: ReactNode;
};

export function Dialog({ title, opened, onClose, closesByButtonOnly = false, children }: DialogProps) {
  const id = useId();
  return (
    <Overlay kind="dialog" opened={opened} onClose={onClose} closesByButtonOnly={closesByButtonOnly} aria-labelledby={id}>
      <OverlayHead id={id} title={title} onClose={closesByButtonOnly ? null : onClose} />
      <div className={styles.body}>{children}</div>
    </Overlay>
  );
}

type OverlayHeadProps = { readonly id: string; readonly title: string; readonly onClose: (() => void) | null };

/** The title of a dialog or of a drawer, beside the button that closes it. */
export const OverlayHead = ({ id, title, onClose }: OverlayHeadProps) => (
  <header className={styles.head}>
    <h2 id={id} className={styles.title}>
      {title}
    </h2>
    {onClose && (
      <IconButton aria-label={t.drawer.close} onClick={onClose}>
        <Icon name="close" size={18} />
      </IconButton>
    )}
  </header>
);

type ConfirmProps = {
  readonly label: string;
  /** What a screen reader adds where a page has several such buttons. */
  readonly subject?: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly run: () => Promise<unknown>;
  readonly variant?: 'filled' | 'default' | 'subtle';
  readonly size?: 'xs' | 'sm';
};

/** A button that asks for confirmation: what will happen, and whether it can be undone. */
export function ConfirmButton({ label, subject, title, danger = false, variant = 'default', size = 'xs', ...content }: ConfirmProps) {
  const [opened, setOpened] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const isReadOnly = useReadOnly();
  return (
    <>
      <Button
        variant={variant}
        size={size}
        color={variant === 'default' ? 'gray' : danger ? 'red' : 'accent'}
        data-danger={danger || undefined}
        className={styles.opener}
        aria-label={subject === undefined ? undefined : `${label} ${subject}`}
        disabled={isReadOnly}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      {/* The dialog stays open while the action runs, so that the person sees the result. */}
      <Dialog title={title} opened={opened} onClose={() => isRunning || setOpened(false)}>
        <ConfirmContent {...content} danger={danger} onRunningChange={setIsRunning} close={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

type ConfirmContentProps = Pick<ConfirmProps, 'children' | 'confirm' | 'run'> & {
  readonly danger: boolean;
  readonly onRunningChange: (isRunning: boolean) => void;
  readonly close: () => void;
};

/** Unmounts with its dialog, so that reopening it clears the previous error. */
function ConfirmContent({ children, confirm, danger, run, onRunningChange, close }: ConfirmContentProps) {
  const action = useMutation({
    mutationFn: async () => {
      onRunningChange(true);
      try {
        await run();
      } finally {
        onRunningChange(false);
      }
      close();
    },
  });
  return (
    <>
      <ErrorAlert error={action.error} takesFocus />
      <div className={styles.text}>{children}</div>
      <div className={styles.buttons}>
        <Button color={danger ? 'red' : 'accent'} loading={action.isPending} onClick={() => action.mutate()}>
          {confirm}
        </Button>
        <Button variant="default" disabled={action.isPending} onClick={close} data-autofocus>
          {t.dialog.cancel}
        </Button>
      </div>
    </>
  );
}
