import createEnglish from 'messages:conversions';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('conversions', createEnglish);
