import { apiPath } from '../api/operations.ts';
/** The account whose dashboard an operator views. It lasts until the operator ends it, the tab closes, or the session ends. */
export type ViewAs = { readonly is: 'store' | 'creator'; readonly id: string; readonly name: string };

const storageKey = 'tributary.viewing';

/** Null also when the stored value has another shape. */
export function storedViewAs(): ViewAs | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    return isViewAs(stored) ? stored : null;
  } catch {
    return null;
  }
}

const isViewAs = (stored: unknown): stored is ViewAs =>
  typeof stored === 'object' &&
  stored !== null &&
  'is' in stored &&
  (stored.is === 'store' || stored.is === 'creator') &&
  'id' in stored &&
  typeof stored.id === 'string' &&
  'name' in stored &&
  typeof stored.name === 'string';

/** Reloads the page, so that no data read as an operator remains in memory. */
export function startViewAs(viewed: ViewAs): void {
  sessionStorage.setItem(storageKey, JSON.stringify(viewed));
  location.assign(viewed.is === 'store' ? apiPath('/stores/{store}', { store: viewed.id }) : '/creator');
}

export function endViewAs({ is, id }: ViewAs): void {
  clearViewAs();
  location.assign(is === 'store' ? `/operator/stores/${id}` : `/operator/creators/${id}`);
}

export const clearViewAs = (): void => sessionStorage.removeItem(storageKey);
