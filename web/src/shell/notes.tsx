import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';

const NotesShown = lazy(async () => ({ default: (await import('./notes-shown.tsx')).NotesShown }));

/** What a page tells in passing. Most visits tell nothing, so what shows it is fetched with the first that is told. */
export function Notes() {
  const { notifications } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && notifications.length > 0) setNeeded(true);
  return isNeeded && <Suspense children={<NotesShown />} />;
}
