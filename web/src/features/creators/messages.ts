import createEnglish from 'messages:creators';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('creators', createEnglish);
