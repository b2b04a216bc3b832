import createEnglish from 'messages:shell';
import { messagesOf } from '../messages/messages.ts';

export const t = messagesOf('shell', createEnglish);
