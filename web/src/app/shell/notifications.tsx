import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';

const NotificationList = lazy(async () => ({ default: (await import('./notification-list.tsx')).NotificationList }));

/** Most visits show no notification, so the list loads with the first one. */
export function LazyNotifications() {
  const { notifications } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && notifications.length > 0) setNeeded(true);
  return isNeeded && <Suspense children={<NotificationList />} />;
}
