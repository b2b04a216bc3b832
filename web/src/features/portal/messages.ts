import createEnglish from 'messages:portal';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('portal', createEnglish);
