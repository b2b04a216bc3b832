import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';

export type EmailStatus = { readonly state: 'waiting' | 'sent' | 'failed' | 'kept'; readonly last_error: string | null };

type EmailStatusChipProps = {
  readonly email: EmailStatus;
  /** The label when no mail server is configured, which depends on the reader. */
  readonly notSent: { readonly word: string; readonly meaning: string };
};

/** Whether an email was sent, and its last error. */
export function EmailStatusChip({ email: { state, last_error: error }, notSent }: EmailStatusChipProps) {
  const texts: StatusTexts<EmailStatus['state']> = {
    waiting: ['Waiting', 'wait', error === null ? 'It is about to be sent.' : `It is tried again. The last try: ${error}`],
    sent: ['Sent', 'good', 'The mail server took it.'],
    failed: ['Failed', 'bad', `It was given up. The last try: ${error ?? 'no reason was given'}`],
    kept: [notSent.word, 'neutral', notSent.meaning],
  };
  return <StatusChip texts={texts} state={state} />;
}
