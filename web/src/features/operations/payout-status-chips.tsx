import type { OperatorPayout } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import type { RunPayout } from './operator-api.ts';

/** The state at the end of the run; the list of all payouts shows what followed. */
export function RunPayoutStatusChip({ payout: { id, state } }: { readonly payout: Pick<RunPayout, 'id' | 'state'> }) {
  if (id === null)
    return state === 'awaiting_second' ? (
      <Chip
        label="Would wait for a second person"
        tone="neutral"
        meaning="It is above the limit: nothing was made yet, and nothing is sent by one person."
      />
    ) : (
      <Chip label="Would be sent" tone="neutral" meaning="Nothing was made or sent yet; the run does it, or asks for a transfer by hand." />
    );
  if (state !== 'sending') return <OperatorPayoutStatusChip state={state} />;
  return (
    <Chip
      label="Begun"
      tone="neutral"
      meaning="The run handed it to the provider, or left it to be paid by hand. How it went on stands among all payouts."
    />
  );
}

export const ReportedPaidChip = () => (
  <Chip
    label="Told paid afterwards"
    tone="bad"
    meaning="It failed, and its provider says now that it was paid. Nothing more is sent to this creator until somebody says that the money is back."
  />
);

/** The state of a payout and the next step. */
export function OperatorPayoutStatusChip({ state, provider }: Pick<OperatorPayout, 'state'> & { readonly provider?: string }) {
  switch (state) {
    case 'awaiting_second':
      return (
        <Chip
          label="Waits for a second person"
          tone="wait"
          meaning="It is above the limit. Another person than who started it confirms or refuses it."
        />
      );
    case 'sending':
      return provider === 'manual' ? (
        <Chip label="To be paid by hand" tone="wait" meaning="Transfer it at the bank, then mark it as paid." />
      ) : (
        <Chip label="Being sent" tone="wait" meaning="The provider has it and has not said how it ended." />
      );
    case 'unknown':
      return <Chip label="Unknown" tone="wait" meaning="The provider did not answer. It is asked again; who knows the end may say it." />;
    case 'paid':
      return <Chip label="Paid" tone="good" meaning="The creator has it." />;
    case 'failed':
      return <Chip label="Failed" tone="bad" meaning="It was not paid. The money is free for the next payout." />;
    case 'returned':
      return (
        <Chip label="Came back" tone="bad" meaning="The bank sent it back. It waits until the creator has said once more where to pay." />
      );
  }
}
