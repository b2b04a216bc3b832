import createEnglish from 'messages:overview';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('overview', createEnglish);
