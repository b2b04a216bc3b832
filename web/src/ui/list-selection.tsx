import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { useState, type ReactNode } from 'react';
import styles from './list.module.css';
import type { Column } from './table.tsx';
import { t } from './messages.ts';

/** `labelOf` names a row for screen readers. */
export type SelectionOptions<Item> = {
  readonly keyOf: (row: Item) => string;
  readonly labelOf: (row: Item) => string;
};

export type Selection<Item> = SelectionOptions<Item> & {
  readonly rows: readonly Item[];
  readonly selectedRows: readonly Item[];
  readonly isSelected: (row: Item) => boolean;
  /** All rows that match the filter are selected, also those of other pages. */
  readonly isAllMatching: boolean;
  readonly select: (rows: readonly Item[], isSelected: boolean) => void;
  readonly selectAllMatching: () => void;
  readonly clear: () => void;
};

type Chosen = { readonly page: string; readonly keys: ReadonlySet<string>; readonly isAllMatching: boolean };

/** The selected rows of one page of a list. Another filter or page starts with an empty selection. */
export function useSelection<Item>(
  rows: readonly Item[],
  page: string,
  options: SelectionOptions<Item> | undefined,
): Selection<Item> | null {
  const none: Chosen = { page, keys: new Set(), isAllMatching: false };
  const [chosen, setChosen] = useState(none);
  if (options === undefined) return null;
  const { keyOf } = options;
  const { keys, isAllMatching } = chosen.page === page ? chosen : none;
  const selectedRows = rows.filter((row) => keys.has(keyOf(row)));
  return {
    ...options,
    rows,
    selectedRows,
    isSelected: (row) => keys.has(keyOf(row)),
    // Rows that were added meanwhile are not selected, so "all matching" must be confirmed again.
    isAllMatching: isAllMatching && selectedRows.length === rows.length,
    select: (changed, isSelected) =>
      setChosen((before) => {
        const next = new Set(before.page === page ? before.keys : []);
        for (const key of changed.map(keyOf)) void (isSelected ? next.add(key) : next.delete(key));
        return { page, keys: next, isAllMatching: false };
      }),
    selectAllMatching: () => setChosen({ page, keys, isAllMatching: true }),
    clear: () => setChosen(none),
  };
}

export const selectionColumn = <Item,>(selection: Selection<Item>): Column<Item> => ({
  title: t.list_selection.select,
  kind: 'box',
  head: <SelectPage selection={selection} />,
  cell: (row) => (
    <Checkbox
      size="xs"
      aria-label={t.list_selection.select_2({ row: selection.labelOf(row) })}
      checked={selection.isSelected(row)}
      onChange={({ currentTarget }) => selection.select([row], currentTarget.checked)}
    />
  ),
});

/** In the table header; above the list with a label on narrow screens, where the header is hidden. */
export function SelectPage<Item>({ selection, label }: { readonly selection: Selection<Item>; readonly label?: string }) {
  const { rows, selectedRows, select } = selection;
  return (
    <Checkbox
      size="xs"
      label={label}
      aria-label={label === undefined ? t.list_selection.select_all_on_this_page : undefined}
      checked={selectedRows.length === rows.length}
      indeterminate={selectedRows.length > 0 && selectedRows.length < rows.length}
      onChange={({ currentTarget }) => select(rows, currentTarget.checked)}
    />
  );
}

/** What people can do with selected rows. */
export type BulkActions = {
  /** Names the group of buttons for screen readers. */
  readonly label: string;
  /** The number and sums of the selected rows. */
  readonly summary: ReactNode;
  readonly buttons: ReactNode;
};

type SelectionBarProps<Item> = {
  readonly selection: Selection<Item>;
  readonly actions: BulkActions;
  /** More rows match than this page shows. */
  readonly hasMorePages: boolean;
};

/** The actions on selected rows. It replaces the totals, so that the list does not move. */
export function SelectionBar<Item>({ selection, actions, hasMorePages }: SelectionBarProps<Item>) {
  const { rows, selectedRows, isAllMatching, selectAllMatching, clear } = selection;
  return (
    <div role="group" aria-label={actions.label} className={styles.bar}>
      <span role="status">{actions.summary}</span>
      {selectedRows.length === rows.length && hasMorePages && !isAllMatching && (
        <Button variant="subtle" size="xs" onClick={selectAllMatching}>
          {t.list_selection.select_all_matching}
        </Button>
      )}
      <span className={styles.actions}>
        {actions.buttons}
        <Button variant="subtle" size="xs" onClick={clear}>
          {t.list_selection.clear_selection}
        </Button>
      </span>
    </div>
  );
}
