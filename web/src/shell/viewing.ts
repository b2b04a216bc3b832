/** Whose dashboard an operator looks at, as its people see it. It lasts as long as this tab and the session, or until it is ended. */
export type Viewing = { readonly is: 'store' | 'creator'; readonly id: string; readonly name: string };

const place = 'tributary.viewing';

/** Null also for what somebody wrote there who is not us. */
export function viewing(): Viewing | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    return isViewing(kept) ? kept : null;
  } catch {
    return null;
  }
}

const isViewing = (kept: unknown): kept is Viewing =>
  typeof kept === 'object' &&
  kept !== null &&
  'is' in kept &&
  (kept.is === 'store' || kept.is === 'creator') &&
  'id' in kept &&
  typeof kept.id === 'string' &&
  'name' in kept &&
  typeof kept.name === 'string';

/** The page is loaded anew, so that nothing read as an operator is left in it. */
export function beginViewing(viewed: Viewing): void {
  sessionStorage.setItem(place, JSON.stringify(viewed));
  location.assign(viewed.is === 'store' ? `/stores/${viewed.id}` : '/creator');
}

export function endViewing({ is, id }: Viewing): void {
  forgetViewing();
  location.assign(is === 'store' ? `/operator/stores/${id}` : `/operator/creators/${id}`);
}

export const forgetViewing = (): void => sessionStorage.removeItem(place);
