import type { OperatorPayout } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import type { RunPayout } from './operator-api.ts';
import { t } from './messages.ts';

/** The state at the end of the run; the list of all payouts shows what followed. */
export function RunPayoutStatusChip({ payout: { id, state } }: { readonly payout: Pick<RunPayout, 'id' | 'state'> }) {
  if (id === null)
    return state === 'awaiting_second' ? (
      <Chip label={t.payout_status_chips.would_wait_for_a_second} tone="neutral" meaning={t.payout_status_chips.it_is_above_the_limit} />
    ) : (
      <Chip label={t.payout_status_chips.would_be_sent} tone="neutral" meaning={t.payout_status_chips.nothing_was_made_or_sent} />
    );
  if (state !== 'sending') return <OperatorPayoutStatusChip state={state} />;
  return <Chip label={t.payout_status_chips.begun} tone="neutral" meaning={t.payout_status_chips.the_run_handed_it_to} />;
}

export const ReportedPaidChip = () => (
  <Chip label={t.payout_status_chips.told_paid_afterwards} tone="bad" meaning={t.payout_status_chips.it_failed_and_its_provider} />
);

const payoutTexts: StatusTexts<OperatorPayout['state']> = {
  awaiting_second: [t.payout_status_chips.waits_for_a_second_person, 'wait', t.payout_status_chips.it_is_above_the_limit_2],
  sending: [t.payout_status_chips.being_sent, 'wait', t.payout_status_chips.the_provider_has_it_and],
  unknown: [t.payout_status_chips.unknown, 'wait', t.payout_status_chips.the_provider_did_not_answer],
  paid: [t.payout_status_chips.paid, 'good', t.payout_status_chips.the_creator_has_it],
  failed: [t.payout_status_chips.failed, 'bad', t.payout_status_chips.it_was_not_paid_the],
  returned: [t.payout_status_chips.came_back, 'bad', t.payout_status_chips.the_bank_sent_it_back],
};

/** The state of a payout and the next step. */
export function OperatorPayoutStatusChip({ state, provider }: Pick<OperatorPayout, 'state'> & { readonly provider?: string }) {
  if (state === 'sending' && provider === 'manual')
    return <Chip label={t.payout_status_chips.to_be_paid_by_hand} tone="wait" meaning={t.payout_status_chips.transfer_it_at_the_bank} />;
  return <StatusChip texts={payoutTexts} state={state} />;
}
