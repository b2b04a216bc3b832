import { Chip } from '../parts/chip.tsx';

export type MailStanding = { readonly state: 'waiting' | 'sent' | 'failed' | 'kept'; readonly last_error: string | null };

type MailChipProps = {
  readonly mail: MailStanding;
  /** What it means for who looks that no mail server is set. */
  readonly kept: { readonly word: string; readonly meaning: string };
};

/** Whether a mail went out, and what keeps it. */
export function MailChip({ mail: { state, last_error: error }, kept }: MailChipProps) {
  switch (state) {
    case 'waiting':
      return (
        <Chip
          word="Waiting"
          tone="wait"
          meaning={error === null ? 'It is about to be sent.' : `It is tried again. The last try: ${error}`}
        />
      );
    case 'sent':
      return <Chip word="Sent" tone="good" meaning="The mail server took it." />;
    case 'failed':
      return <Chip word="Failed" tone="bad" meaning={`It was given up. The last try: ${error ?? 'no reason was given'}`} />;
    case 'kept':
      return <Chip word={kept.word} tone="calm" meaning={kept.meaning} />;
  }
}
