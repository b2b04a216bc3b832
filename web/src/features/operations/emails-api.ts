import type { Page } from '../../api/client.ts';
import { apiQuery } from '../../ui/queries.ts';
import type { EmailStatus } from '../access/email-status-chip.tsx';

export type Email = EmailStatus & {
  readonly id: string;
  readonly made_at: string;
  readonly to: string;
  readonly subject: string;
};

export type EmailDetails = Email & { readonly text: string; readonly link_removed: boolean };

/** The newest emails, for the overview. */
export const newestEmailsQuery = apiQuery<Page<Email>>('/mails?limit=5');

/** Cached without limit, because the audit log records each request. */
export const emailQuery = (mail: string) => ({ ...apiQuery<EmailDetails>(`/mails/${mail}`), staleTime: Number.POSITIVE_INFINITY });
