import createEnglish from 'messages:subscriptions';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('subscriptions', createEnglish);
