import { Chip } from '../../ui/chip.tsx';

export type EmailStatus = { readonly state: 'waiting' | 'sent' | 'failed' | 'kept'; readonly last_error: string | null };

type EmailStatusChipProps = {
  readonly email: EmailStatus;
  /** The label when no mail server is configured, which depends on the reader. */
  readonly notSent: { readonly word: string; readonly meaning: string };
};

/** Whether an email was sent, and its last error. */
export function EmailStatusChip({ email: { state, last_error: error }, notSent }: EmailStatusChipProps) {
  switch (state) {
    case 'waiting':
      return (
        <Chip
          label="Waiting"
          tone="wait"
          meaning={error === null ? 'It is about to be sent.' : `It is tried again. The last try: ${error}`}
        />
      );
    case 'sent':
      return <Chip label="Sent" tone="good" meaning="The mail server took it." />;
    case 'failed':
      return <Chip label="Failed" tone="bad" meaning={`It was given up. The last try: ${error ?? 'no reason was given'}`} />;
    case 'kept':
      return <Chip label={notSent.word} tone="neutral" meaning={notSent.meaning} />;
  }
}
