import { Chip } from '../parts/chip.tsx';
import type { OperatorsPayout, RunPayout } from './operator-api.ts';

/** Of a run, as it was when the run ended: how a payout went on from there stands among all of them. */
export function RunPayoutChip({ payout: { id, state } }: { readonly payout: Pick<RunPayout, 'id' | 'state'> }) {
  if (id === null)
    return state === 'awaiting_second' ? (
      <Chip
        word="Would wait for a second person"
        tone="calm"
        meaning="It is above the limit: nothing was made yet, and nothing is sent by one person."
      />
    ) : (
      <Chip word="Would be sent" tone="calm" meaning="Nothing was made or sent yet; the run does it, or asks for a transfer by hand." />
    );
  if (state !== 'sending') return <OperatorsPayoutChip state={state} />;
  return (
    <Chip
      word="Begun"
      tone="calm"
      meaning="The run handed it to the provider, or left it to be paid by hand. How it went on stands among all payouts."
    />
  );
}

export const ToldPaidChip = () => (
  <Chip
    word="Told paid afterwards"
    tone="bad"
    meaning="It failed, and its provider says now that it was paid. Nothing more is sent to this creator until somebody says that the money is back."
  />
);

/** The state of a payout, and what is to be done about it. */
export function OperatorsPayoutChip({ state, provider }: Pick<OperatorsPayout, 'state'> & { readonly provider?: string }) {
  switch (state) {
    case 'awaiting_second':
      return (
        <Chip
          word="Waits for a second person"
          tone="wait"
          meaning="It is above the limit. Another person than who started it confirms or refuses it."
        />
      );
    case 'sending':
      return provider === 'manual' ? (
        <Chip word="To be paid by hand" tone="wait" meaning="Transfer it at the bank, then mark it as paid." />
      ) : (
        <Chip word="Being sent" tone="wait" meaning="The provider has it and has not said how it ended." />
      );
    case 'unknown':
      return <Chip word="Unknown" tone="wait" meaning="The provider did not answer. It is asked again; who knows the end may say it." />;
    case 'paid':
      return <Chip word="Paid" tone="good" meaning="The creator has it." />;
    case 'failed':
      return <Chip word="Failed" tone="bad" meaning="It was not paid. The money is free for the next payout." />;
    case 'returned':
      return (
        <Chip word="Came back" tone="bad" meaning="The bank sent it back. It waits until the creator has said once more where to pay." />
      );
  }
}
