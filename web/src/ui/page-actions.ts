import { useEffect, useSyncExternalStore } from 'react';
import type { IconName } from './icons.tsx';

/** Something that the opened page, or its open drawer, can do. The command palette offers it. */
export type PageAction = { readonly label: string; readonly icon: IconName; readonly run: () => unknown };

let offered: readonly (readonly PageAction[])[] = [];
let flat: readonly PageAction[] = [];
const listeners = new Set<() => void>();

function setOffered(next: readonly (readonly PageAction[])[]): void {
  offered = next;
  flat = next.flat();
  for (const notify of listeners) notify();
}

/** Offers the actions while the component is mounted. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    setOffered([actions, ...offered]);
    return () => setOffered(offered.filter((one) => one !== actions));
  });
}

const subscribe = (notify: () => void) => {
  listeners.add(notify);
  return () => listeners.delete(notify);
};

export const useOfferedActions = (): readonly PageAction[] => useSyncExternalStore(subscribe, () => flat);
