import { useEffect, useRef, useState, type ComponentProps, type RefObject } from 'react';
import type { Commission } from '../../api/api-schema.ts';
import styles from './conversions.module.css';
import type { ReviewActionName } from './review-actions.ts';

type QueueActions = {
  readonly select: (row: Commission) => unknown;
  readonly decide: (action: ReviewActionName, row: Commission) => unknown;
  readonly open: (row: Commission) => unknown;
  readonly undo: () => unknown;
};

type QueueKeyboard = {
  readonly rowProps: (row: Commission) => ComponentProps<'tr'>;
  /** Restores the focus after a dialog: to the current row, or the row that replaced it. */
  readonly restoreFocus: () => void;
};

/** A closing dialog returns the focus to its row, which may be gone. */
const dialogFadeMs = 300;

/**
 * Keyboard navigation of the review queue. One row has the focus at a time. Shortcuts act only while a row has the focus, so that typing
 * elsewhere decides nothing: on the selected rows, or on the focused row when none is selected. From the page's heading the arrow keys,
 * j and k move into the list. When a row leaves the list, the focus moves to the row that replaced it.
 */
export function useQueueKeyboard(
  queue: RefObject<HTMLDivElement | null>,
  rows: readonly Commission[],
  actions: QueueActions,
): QueueKeyboard {
  const [currentIndex, setCurrentIndex] = useState(0);
  const current = Math.min(currentIndex, rows.length - 1);
  const wasInside = useRef(false);

  const rowAt = (at: number) => queue.current?.querySelectorAll<HTMLElement>('tbody tr')[at];
  const goTo = (at: number) => {
    const next = Math.max(0, Math.min(at, rows.length - 1));
    setCurrentIndex(next);
    const row = rowAt(next);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  };
  useEnterFromHeading(() => goTo(current));
  useEffect(() => {
    if (wasInside.current && (document.activeElement === null || document.activeElement === document.body)) rowAt(current)?.focus();
  });

  return {
    restoreFocus: () => {
      setTimeout(() => document.activeElement === document.body && rowAt(current)?.focus(), dialogFadeMs);
    },
    rowProps: (row) => ({
      tabIndex: row === rows[current] ? 0 : -1,
      onFocus: () => {
        wasInside.current = true;
        setCurrentIndex(rows.indexOf(row));
      },
      onBlur: ({ relatedTarget }) => void (wasInside.current = relatedTarget === null),
      onKeyDown: (event) => {
        // Controls inside a row handle their own keys.
        if (isChord(event) || event.target !== event.currentTarget) return;
        const pressed = { row, isHeld: event.repeat, current: rows.indexOf(row), goTo, last: rows.length - 1, ...actions };
        if (handleKey(event.key, pressed)) event.preventDefault();
      },
    }),
  };
}

type KeyPress = QueueActions & {
  readonly row: Commission;
  /** The key repeats while it is held down. */
  readonly isHeld: boolean;
  readonly current: number;
  readonly last: number;
  readonly goTo: (at: number) => void;
};

const navigationKeys = ['j', 'k', 'ArrowDown', 'ArrowUp'];

/** Returns whether the key is a shortcut. A held key moves on but decides once: the following rows were not meant. */
function handleKey(pressed: string, { row, isHeld, current, last, goTo, select: tick, decide, open, undo }: KeyPress): boolean {
  const actions: Readonly<Record<string, () => unknown>> = {
    j: () => goTo(current + 1),
    ArrowDown: () => goTo(current + 1),
    k: () => goTo(current - 1),
    ArrowUp: () => goTo(current - 1),
    Home: () => goTo(0),
    End: () => goTo(last),
    x: () => tick(row),
    ' ': () => tick(row),
    a: () => decide('approve', row),
    r: () => decide('reject', row),
    h: () => decide('hold', row),
    l: () => decide('release', row),
    o: () => decide('reopen', row),
    Enter: () => open(row),
    u: undo,
  };
  const key = pressed.length === 1 ? pressed.toLowerCase() : pressed;
  const found = actions[key];
  if (!isHeld || navigationKeys.includes(key)) found?.();
  return found !== undefined;
}

type Keys = { readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };
const isChord = ({ ctrlKey, metaKey, altKey }: Keys): boolean => ctrlKey || metaKey || altKey;

function useEnterFromHeading(enter: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document;
      if (isChord(event) || !(activeElement === document.body || activeElement?.matches('h1'))) return;
      if (!navigationKeys.includes(event.key)) return;
      event.preventDefault();
      enter();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

const navigationHelp = [
  ['J', 'next'],
  ['K', 'previous'],
  ['Enter', 'open'],
] as const;
const reviewHelp = [
  ['X', 'select'],
  ['A', 'approve'],
  ['R', 'reject'],
  ['H', 'hold'],
  ['L', 'release'],
  ['O', 'reopen'],
  ['U', 'undo'],
] as const;

/** The keyboard shortcuts of the review queue. */
export function ShortcutHelp({ mayReview }: { readonly mayReview: boolean }) {
  return (
    <p className={styles.help}>
      <span>With the keyboard, on a row:</span>
      {[...navigationHelp, ...(mayReview ? reviewHelp : [])].map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}
        </span>
      ))}
      {mayReview && <span>They decide on what is selected, or else on that row.</span>}
    </p>
  );
}
