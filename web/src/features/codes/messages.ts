import createEnglish from 'messages:codes';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('codes', createEnglish);
