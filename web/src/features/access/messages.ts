import createEnglish from 'messages:access';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('access', createEnglish);
