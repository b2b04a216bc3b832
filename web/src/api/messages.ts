import createEnglish from 'messages:common';
import { messagesOf } from '../messages/messages.ts';

export const t = messagesOf('common', createEnglish);
