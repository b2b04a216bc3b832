import { Notifications } from '@mantine/notifications';

export const NotesShown = () => <Notifications position="bottom-right" limit={3} />;
