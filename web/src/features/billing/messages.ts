import createEnglish from 'messages:billing';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('billing', createEnglish);
