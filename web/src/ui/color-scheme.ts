import { useSyncExternalStore } from 'react';

/** `auto` follows the system. */
export type ColorScheme = 'auto' | 'light' | 'dark';

/** `scheme.js` reads it before the first paint. */
const storageKey = 'color-scheme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function storedScheme(): ColorScheme {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    // Without storage the choice holds until the page is closed.
    return 'auto';
  }
}

let chosen = storedScheme();

const shownScheme = (): 'light' | 'dark' => (chosen === 'auto' ? (systemIsDark.matches ? 'dark' : 'light') : chosen);

function show(): void {
  document.documentElement.setAttribute('data-color-scheme', shownScheme());
  for (const listener of listeners) listener();
}

/** Follows the system while nothing else is chosen, and choices in other windows. */
export function followColorScheme(): void {
  systemIsDark.addEventListener('change', show);
  addEventListener('storage', ({ key }) => {
    if (key !== storageKey) return;
    chosen = storedScheme();
    show();
  });
  show();
}

export function chooseColorScheme(scheme: ColorScheme): void {
  chosen = scheme;
  try {
    localStorage.setItem(storageKey, scheme);
  } catch {
    // See above.
  }
  show();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useChosenColorScheme = (): ColorScheme => useSyncExternalStore(subscribe, () => chosen);
export const useShownColorScheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, shownScheme);
