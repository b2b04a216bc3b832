import createEnglish from 'messages:operations';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('operations', createEnglish);
