import type { OperatorPayout } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
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

const payoutTexts: StatusTexts<OperatorPayout['state']> = {
  awaiting_second: [
    'Waits for a second person',
    'wait',
    'It is above the limit. Another person than who started it confirms or refuses it.',
  ],
  sending: ['Being sent', 'wait', 'The provider has it and has not said how it ended.'],
  unknown: ['Unknown', 'wait', 'The provider did not answer. It is asked again; who knows the end may say it.'],
  paid: ['Paid', 'good', 'The creator has it.'],
  failed: ['Failed', 'bad', 'It was not paid. The money is free for the next payout.'],
  returned: ['Came back', 'bad', 'The bank sent it back. It waits until the creator has said once more where to pay.'],
};

/** The state of a payout and the next step. */
export function OperatorPayoutStatusChip({ state, provider }: Pick<OperatorPayout, 'state'> & { readonly provider?: string }) {
  if (state === 'sending' && provider === 'manual')
    return <Chip label="To be paid by hand" tone="wait" meaning="Transfer it at the bank, then mark it as paid." />;
  return <StatusChip texts={payoutTexts} state={state} />;
}
