import createEnglish from 'messages:audit';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('audit', createEnglish);
