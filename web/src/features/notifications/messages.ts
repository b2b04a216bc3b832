import createEnglish from 'messages:notifications';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('notifications', createEnglish);
