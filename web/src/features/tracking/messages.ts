import createEnglish from 'messages:tracking';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('tracking', createEnglish);
