import { reading } from '../parts/reading.ts';

export type Mail = {
  readonly id: string;
  readonly made_at: string;
  readonly to: string;
  readonly subject: string;
  readonly state: 'waiting' | 'sent' | 'failed' | 'kept';
  readonly last_error: string | null;
};

export type OpenedMail = Mail & { readonly text: string };

/** Read once: each reading stands in the audit log. */
export const mailReading = (mail: string) => ({ ...reading<OpenedMail>(`/mails/${mail}`), staleTime: Number.POSITIVE_INFINITY });
