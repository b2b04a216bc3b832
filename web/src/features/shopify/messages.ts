import createEnglish from 'messages:shopify';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('shopify', createEnglish);
