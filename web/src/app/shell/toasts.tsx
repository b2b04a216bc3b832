import { lazy, Suspense, useState } from 'react';
import { useShownToasts } from '../../ui/toasts.ts';

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }));

/** Most visits show no toast, so the list loads with the first one. */
export function LazyToasts() {
  const toasts = useShownToasts();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && toasts.length > 0) setNeeded(true);
  return isNeeded && <Suspense children={<ToastList toasts={toasts} />} />;
}
