import createEnglish from 'messages:team';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('team', createEnglish);
