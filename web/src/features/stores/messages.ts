import createEnglish from 'messages:stores';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('stores', createEnglish);
