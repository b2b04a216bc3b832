import createEnglish from 'messages:disputes';
import { messagesOf } from '../../messages/messages.ts';

export const t = messagesOf('disputes', createEnglish);
