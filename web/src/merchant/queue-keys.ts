import { useEffect, useRef, useState, type ComponentProps, type RefObject } from 'react';
import type { Commission } from './commissions-api.ts';
import type { ReviewWay } from './review-dialogs.tsx';

type QueueActs = {
  readonly tick: (row: Commission) => unknown;
  readonly decide: (way: ReviewWay, row: Commission) => unknown;
  readonly open: (row: Commission) => unknown;
  readonly undo: () => unknown;
};

type QueueKeys = {
  readonly rowProps: (row: Commission) => ComponentProps<'tr'>;
  /** After a dialog: to the row where one was, or the one that took its place. */
  readonly comeBack: () => void;
};

/** A dialog fades out, and gives the focus back to a row that may be gone. */
const dialogFadesMs = 300;

/**
 * The review queue by the keyboard alone. One row has the focus at a time. Letters act only while a row has it, so that nothing is
 * decided by a letter that was meant for something else: on all that is ticked, or on that row where nothing is. From the page's
 * heading the arrows, and j and k, lead into the list. A row that left the list hands the focus on to the one that took its place.
 */
export function useQueueKeys(queue: RefObject<HTMLDivElement | null>, rows: readonly Commission[], acts: QueueActs): QueueKeys {
  const [place, setPlace] = useState(0);
  const current = Math.min(place, rows.length - 1);
  const wasInside = useRef(false);

  const rowAt = (at: number) => queue.current?.querySelectorAll<HTMLElement>('tbody tr')[at];
  const goTo = (at: number) => {
    const next = Math.max(0, Math.min(at, rows.length - 1));
    setPlace(next);
    const row = rowAt(next);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  };
  useFromHeading(() => goTo(current));
  useEffect(() => {
    if (wasInside.current && (document.activeElement === null || document.activeElement === document.body)) rowAt(current)?.focus();
  });

  return {
    comeBack: () => {
      setTimeout(() => document.activeElement === document.body && rowAt(current)?.focus(), dialogFadesMs);
    },
    rowProps: (row) => ({
      tabIndex: row === rows[current] ? 0 : -1,
      onFocus: () => {
        wasInside.current = true;
        setPlace(rows.indexOf(row));
      },
      onBlur: ({ relatedTarget }) => void (wasInside.current = relatedTarget === null),
      onKeyDown: (event) => {
        // What stands in a row has keys of its own.
        if (isChord(event) || event.target !== event.currentTarget) return;
        const pressed = { row, isHeld: event.repeat, current: rows.indexOf(row), goTo, last: rows.length - 1, ...acts };
        if (act(event.key, pressed)) event.preventDefault();
      },
    }),
  };
}

type Pressed = QueueActs & {
  readonly row: Commission;
  /** It comes again and again while the key is down. */
  readonly isHeld: boolean;
  readonly current: number;
  readonly last: number;
  readonly goTo: (at: number) => void;
};

const walks = ['j', 'k', 'ArrowDown', 'ArrowUp'];

/** Whether the key means anything here. Held down it walks on, but decides once: the rows that come after were not meant. */
function act(pressed: string, { row, isHeld, current, last, goTo, tick, decide, open, undo }: Pressed): boolean {
  const acts: Readonly<Record<string, () => unknown>> = {
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
  const found = acts[key];
  if (!isHeld || walks.includes(key)) found?.();
  return found !== undefined;
}

type Keys = { readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };
const isChord = ({ ctrlKey, metaKey, altKey }: Keys): boolean => ctrlKey || metaKey || altKey;

function useFromHeading(enter: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document;
      if (isChord(event) || !(activeElement === document.body || activeElement?.matches('h1'))) return;
      if (!walks.includes(event.key)) return;
      event.preventDefault();
      enter();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
