import { Notifications } from '@mantine/notifications';

export const NotificationList = () => <Notifications position="bottom-right" limit={3} />;
