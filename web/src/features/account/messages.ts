import createEnglish from 'messages:account';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('account', createEnglish);
