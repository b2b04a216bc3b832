import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { t } from './messages.ts';

export type EmailStatus = { readonly state: 'waiting' | 'sent' | 'failed' | 'kept'; readonly last_error: string | null };

type EmailStatusChipProps = {
  readonly email: EmailStatus;
  /** The label when no mail server is configured, which depends on the reader. */
  readonly notSent: { readonly word: string; readonly meaning: string };
};

/** Whether an email was sent, and its last error. */
export function EmailStatusChip({ email: { state, last_error: error }, notSent }: EmailStatusChipProps) {
  const texts: StatusTexts<EmailStatus['state']> = {
    waiting: [
      t.email_status_chip.waiting,
      'wait',
      error === null ? t.email_status_chip.it_will_be_sent_shortly : t.email_status_chip.it_will_be_retried_last({ error }),
    ],
    sent: [t.email_status_chip.sent, 'good', t.email_status_chip.the_email_server_accepted_it],
    failed: [
      t.email_status_chip.failed,
      'bad',
      t.email_status_chip.couldnt_send_this_email_last({ error: error ?? t.email_status_chip.no_reason_was_given }),
    ],
    kept: [notSent.word, 'neutral', notSent.meaning],
  };
  return <StatusChip texts={texts} state={state} />;
}
