import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

export const inboxPath = '/profile/notifications';
export const unreadQuery = apiQuery(apiPath('/profile/notifications/unread', {}));
