import createEnglish from 'messages:sign-in';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('sign-in', createEnglish);
