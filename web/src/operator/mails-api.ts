import type { Page } from '../api.ts';
import { reading } from '../parts/reading.ts';
import type { MailStanding } from '../people/mail-chip.tsx';

export type Mail = MailStanding & {
  readonly id: string;
  readonly made_at: string;
  readonly to: string;
  readonly subject: string;
};

export type OpenedMail = Mail & { readonly text: string; readonly link_removed: boolean };

/** The newest mails, for the overview. */
export const newestMails = reading<Page<Mail>>('/mails?limit=5');

/** Read once: each reading stands in the audit log. */
export const mailReading = (mail: string) => ({ ...reading<OpenedMail>(`/mails/${mail}`), staleTime: Number.POSITIVE_INFINITY });
