import { Button, Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useOnlyLooking } from './only-looking.ts';
import { ProblemNote } from './problem-note.tsx';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A key that is shown once is not lost by a stray click or key. */
  readonly onlyByButton?: boolean;
  readonly children: ReactNode;
};

export function Dialog({ title, opened, onClose, onlyByButton = false, children }: DialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnClickOutside={!onlyByButton}
      closeOnEscape={!onlyByButton}
      withCloseButton={!onlyByButton}
      classNames={{ title: styles.title ?? '' }}
    >
      {children}
    </Modal>
  );
}

type ConfirmProps = {
  readonly label: string;
  /** What a screen reader says where several such buttons stand on a page. */
  readonly of?: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly run: () => Promise<unknown>;
  readonly look?: 'default' | 'subtle';
  readonly size?: 'xs' | 'sm';
};

/** A button that asks first: what will happen, and whether it can be undone. */
export function ConfirmButton({ label, of, title, danger = false, look = 'default', size = 'xs', ...asked }: ConfirmProps) {
  const [opened, setOpened] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const isLooking = useOnlyLooking();
  return (
    <>
      <Button
        variant={look}
        size={size}
        color={look === 'subtle' ? (danger ? 'red' : 'river') : 'gray'}
        aria-label={of === undefined ? undefined : `${label} ${of}`}
        disabled={isLooking}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      {/* While it runs it stays: whoever asked for it reads how it ended. */}
      <Dialog title={title} opened={opened} onClose={() => isRunning || setOpened(false)}>
        <Question {...asked} danger={danger} tell={setIsRunning} close={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

type QuestionProps = Pick<ConfirmProps, 'children' | 'confirm' | 'run'> & {
  readonly danger: boolean;
  readonly tell: (isRunning: boolean) => void;
  readonly close: () => void;
};

/** It goes with its dialog: asked once more, it knows nothing of what went wrong before. */
function Question({ children, confirm, danger, run, tell, close }: QuestionProps) {
  const action = useAction(async () => {
    tell(true);
    try {
      await run();
    } finally {
      tell(false);
    }
    close();
  });
  return (
    <>
      {action.problem && <ProblemNote problem={action.problem} takesFocus />}
      <div className={styles.text}>{children}</div>
      <div className={styles.buttons}>
        <Button color={danger ? 'red' : 'river'} loading={action.running} onClick={action.run}>
          {confirm}
        </Button>
        <Button variant="default" disabled={action.running} onClick={close} data-autofocus>
          Cancel
        </Button>
      </div>
    </>
  );
}

export type Action = { readonly run: () => void; readonly running: boolean; readonly problem: Error | null };

/** A piece of work behind a button: that it runs, and what went wrong. */
export function useAction(work: () => Promise<unknown>): Action {
  const [state, setState] = useState<{ readonly running: boolean; readonly problem: Error | null }>({ running: false, problem: null });
  const run = async () => {
    setState({ running: true, problem: null });
    try {
      await work();
      setState({ running: false, problem: null });
    } catch (error) {
      setState({ running: false, problem: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  return { ...state, run: () => void run() };
}
