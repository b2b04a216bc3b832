import createEnglish from 'messages:webhooks';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('webhooks', createEnglish);
