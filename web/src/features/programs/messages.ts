import createEnglish from 'messages:programs';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('programs', createEnglish);
