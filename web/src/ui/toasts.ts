import { useSyncExternalStore, type ReactNode } from 'react';

/** A short message about what a person did, in a corner of every page. */
export type Toast = {
  readonly id: string;
  readonly title?: string;
  readonly message: ReactNode;
  readonly color?: 'accent' | 'yellow' | 'red';
  /** Milliseconds until it closes itself. False: it stays. */
  readonly autoClose?: number | false;
  readonly withCloseButton?: boolean;
};

/** More wait until one of these closes. */
const shownMax = 3;
let all: readonly Toast[] = [];
let shown: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  all = next;
  shown = all.slice(0, shownMax);
  for (const listener of listeners) listener();
}

export const toasts = {
  show: ({ id = `toast-${++count}`, ...toast }: Omit<Toast, 'id'> & { readonly id?: string }): string => {
    if (!all.some((one) => one.id === id)) change([...all, { ...toast, id }]);
    return id;
  },
  /** Replaces what a shown toast says. */
  update: (toast: Toast): void => change(all.map((one) => (one.id === toast.id ? toast : one))),
  hide: (id: string): void => change(all.filter((one) => one.id !== id)),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useShownToasts = (): readonly Toast[] => useSyncExternalStore(subscribe, () => shown);
