import { useState } from 'react';

/** How a person wants to see a list. It is about the screen of one device, so the browser stores it. */
export type ListSettings = {
  /** The titles of the columns that are not shown. */
  readonly hiddenColumns: readonly string[];
  readonly isCompact: boolean;
  /** Cards of a phone show all columns instead of the most important ones. */
  readonly hasFullCards: boolean;
};

/** A filter, an order, and columns under a name. */
export type SavedView = {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
  readonly hiddenColumns: readonly string[];
};

export const viewNameLengthMax = 60;
export const savedViewsMax = 20;

const usualSettings: ListSettings = { hiddenColumns: [], isCompact: false, hasFullCards: false };

/** Columns and density are those of the list in every store. Views belong to one store, because filters contain its IDs. */
export function useListSettings(path: string) {
  const [settings, saveSettings] = useStored(`tributary.list.${listNameOf(path)}`, readSettings);
  const [views, saveViews] = useStored(`tributary.views.${path}`, readViews);
  return {
    settings,
    change: (changed: Partial<ListSettings>) => saveSettings({ ...settings, ...changed }),
    views,
    /** Replaces a view of the same name. */
    saveView: (view: SavedView) => saveViews([...views.filter(({ name }) => name !== view.name), view].slice(-savedViewsMax)),
    deleteView: (name: string) => saveViews(views.filter((view) => view.name !== name)),
  };
}

/** `/stores/store_123/commissions` and the same list of another store have one name. */
export const listNameOf = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && !/^[a-z]+_/.test(part))
    .join('.');

function useStored<Value>(key: string, read: (stored: unknown) => Value): readonly [Value, (value: Value) => void] {
  const [changed, setChanged] = useState<{ readonly key: string; readonly value: Value } | null>(null);
  const save = (value: Value) => {
    setChanged({ key, value });
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // The browser stores nothing, so the choice lasts until the page is closed.
    }
  };
  return [changed?.key === key ? changed.value : read(storedJson(key)), save];
}

function storedJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

// People and extensions can change what is stored, so each part with another shape is dropped.

export function readSettings(stored: unknown): ListSettings {
  if (!isRecord(stored)) return usualSettings;
  return {
    hiddenColumns: readTexts(stored['hiddenColumns']),
    isCompact: stored['isCompact'] === true,
    hasFullCards: stored['hasFullCards'] === true,
  };
}

export const readViews = (stored: unknown): readonly SavedView[] =>
  Array.isArray(stored) ? stored.flatMap((view: unknown) => readView(view) ?? []).slice(0, savedViewsMax) : [];

function readView(stored: unknown): SavedView | null {
  if (!isRecord(stored) || typeof stored['name'] !== 'string' || !isRecord(stored['search'])) return null;
  const texts = Object.entries(stored['search']).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { name: stored['name'], search: Object.fromEntries(texts), hiddenColumns: readTexts(stored['hiddenColumns']) };
}

const readTexts = (stored: unknown): readonly string[] => (Array.isArray(stored) ? stored.filter((text) => typeof text === 'string') : []);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
