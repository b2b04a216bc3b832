import createEnglish from 'messages:integration';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('integration', createEnglish);
