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
      error === null ? t.email_status_chip.it_is_about_to_be : t.email_status_chip.it_is_tried_again_the({ error }),
    ],
    sent: [t.email_status_chip.sent, 'good', t.email_status_chip.the_mail_server_took_it],
    failed: [
      t.email_status_chip.failed,
      'bad',
      t.email_status_chip.we_stopped_trying({ error: error ?? t.email_status_chip.no_reason_was_given }),
    ],
    kept: [notSent.word, 'neutral', notSent.meaning],
  };
  return <StatusChip texts={texts} state={state} />;
}
