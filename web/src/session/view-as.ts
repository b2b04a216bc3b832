/** The account whose dashboard an operator views. It lasts until the operator ends it, the tab closes, or the session ends. */
export type ViewAs = { readonly is: 'store' | 'creator'; readonly id: string; readonly name: string };

const storageKey = 'tributary.viewing';

/** Null also when the stored value has another shape. */
export function storedViewAs(): ViewAs | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    return isViewAs(kept) ? kept : null;
  } catch {
    return null;
  }
}

const isViewAs = (kept: unknown): kept is ViewAs =>
  typeof kept === 'object' &&
  kept !== null &&
  'is' in kept &&
  (kept.is === 'store' || kept.is === 'creator') &&
  'id' in kept &&
  typeof kept.id === 'string' &&
  'name' in kept &&
  typeof kept.name === 'string';

/** Reloads the page, so that no data read as an operator remains in memory. */
export function startViewAs(viewed: ViewAs): void {
  sessionStorage.setItem(storageKey, JSON.stringify(viewed));
  location.assign(viewed.is === 'store' ? `/stores/${viewed.id}` : '/creator');
}

export function endViewAs({ is, id }: ViewAs): void {
  clearViewAs();
  location.assign(is === 'store' ? `/operator/stores/${id}` : `/operator/creators/${id}`);
}

export const clearViewAs = (): void => sessionStorage.removeItem(storageKey);
