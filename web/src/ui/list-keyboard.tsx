import { useEffect, useRef, useState, type ComponentProps, type RefObject } from 'react';
import type { Selection } from './list-selection.tsx';
import styles from './list.module.css';
import { t } from './messages.ts';

type KeyboardOptions<Item> = {
  readonly list: { readonly rows: readonly Item[]; readonly pageKey: string; readonly selection: Selection<Item> | null };
  readonly open: (row: Item) => unknown;
  /** The shortcuts of this list besides those of every list, in lower case. */
  readonly shortcuts: Readonly<Record<string, (row: Item) => unknown>>;
};

export type ListKeyboard<Item> = {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly rowProps: (row: Item) => ComponentProps<'tr'>;
  /** Restores the focus after a dialog: to the current row, or the row that replaced it. */
  readonly restoreFocus: () => void;
};

/** Until then a closed dialog has returned the focus to its row, or the list was read again without that row. */
const focusCheckMs = 300;

/**
 * Keyboard navigation of a list. One row has the focus at a time. Shortcuts act only while a row has the focus, so that typing elsewhere
 * decides nothing. From the page's heading the arrow keys, j and k move into the list. When a row leaves the list, the focus moves to
 * the row that replaced it.
 */
export function useListKeyboard<Item>({ list, open, shortcuts }: KeyboardOptions<Item>): ListKeyboard<Item> {
  const { rows, pageKey, selection } = list;
  const container = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState({ pageKey, index: 0 });
  const current = Math.min(focused.pageKey === pageKey ? focused.index : 0, rows.length - 1);
  const wasInside = useRef(false);

  const rowAt = (index: number) => container.current?.querySelectorAll<HTMLElement>('tbody tr')[index];
  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(index, rows.length - 1));
    setFocused({ pageKey, index: next });
    const row = rowAt(next);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  };
  useEnterFromHeading(() => goTo(current));
  useEffect(() => {
    if (wasInside.current && (document.activeElement === null || document.activeElement === document.body)) rowAt(current)?.focus();
  });
  const select = (row: Item) => selection?.select([row], !selection.isSelected(row));

  return {
    container,
    restoreFocus: () => {
      setTimeout(() => document.activeElement === document.body && rowAt(current)?.focus(), focusCheckMs);
    },
    rowProps: (row) => ({
      tabIndex: row === rows[current] ? 0 : -1,
      onFocus: () => {
        wasInside.current = true;
        setFocused({ pageKey, index: rows.indexOf(row) });
      },
      onBlur: ({ relatedTarget }) => void (wasInside.current = relatedTarget === null),
      onKeyDown: (event) => {
        // Controls inside a row handle their own keys.
        if (isChord(event) || event.target !== event.currentTarget) return;
        const moves = movesFrom(rows.indexOf(row), rows.length - 1, goTo);
        const actions = { x: () => select(row), ' ': () => select(row), Enter: () => open(row), ...bind(shortcuts, row) };
        if (handleKey(event, moves, actions)) event.preventDefault();
      },
    }),
  };
}

type Actions = Readonly<Record<string, () => unknown>>;

const movesFrom = (current: number, last: number, goTo: (index: number) => void): Actions => ({
  j: () => goTo(current + 1),
  ArrowDown: () => goTo(current + 1),
  k: () => goTo(current - 1),
  ArrowUp: () => goTo(current - 1),
  Home: () => goTo(0),
  End: () => goTo(last),
});
const enteringKeys = ['j', 'k', 'ArrowDown', 'ArrowUp'];

const bind = <Item,>(shortcuts: KeyboardOptions<Item>['shortcuts'], row: Item): Actions =>
  Object.fromEntries(Object.entries(shortcuts).map(([key, act]) => [key, () => act(row)]));

/** Returns whether the key is a shortcut. A held key moves on but acts once: the following rows were not meant. */
function handleKey(pressed: { readonly key: string; readonly repeat: boolean }, moves: Actions, actions: Actions): boolean {
  const key = pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key;
  const move = moves[key];
  if (move !== undefined) {
    if (!pressed.repeat || enteringKeys.includes(key)) move();
    return true;
  }
  if (!pressed.repeat) actions[key]?.();
  return actions[key] !== undefined;
}

type Keys = { readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };
const isChord = ({ ctrlKey, metaKey, altKey }: Keys): boolean => ctrlKey || metaKey || altKey;

function useEnterFromHeading(enter: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document;
      if (isChord(event) || !(activeElement === document.body || activeElement?.matches('h1'))) return;
      if (!enteringKeys.includes(event.key)) return;
      event.preventDefault();
      enter();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

const navigationHelp = [
  ['J', t.list_keyboard.next],
  ['K', t.list_keyboard.previous],
  ['Enter', t.list_keyboard.open],
] as const;

type ShortcutHelpProps = { readonly shortcuts: ReadonlyArray<readonly [key: string, does: string]>; readonly note?: string };

/** The keyboard shortcuts of a list. */
export function ShortcutHelp({ shortcuts, note }: ShortcutHelpProps) {
  return (
    <p className={styles.help}>
      <span>{t.list_keyboard.keyboard_shortcuts_on_a_row}</span>
      {[...navigationHelp, ...shortcuts].map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}
        </span>
      ))}
      {note !== undefined && <span>{note}</span>}
    </p>
  );
}
