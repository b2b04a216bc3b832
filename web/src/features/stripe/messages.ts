import createEnglish from 'messages:stripe';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('stripe', createEnglish);
