import type { OperatorPayout } from '../../../../sdk/src/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import type { RunPayout } from './operator-api.ts';
import { t } from './messages.ts';

/** The state at the end of the run; the list of all payouts shows what followed. */
export function RunPayoutStatusChip({ payout: { id, state } }: { readonly payout: Pick<RunPayout, 'id' | 'state'> }) {
  if (id === null)
    return state === 'awaiting_second' ? (
      <Chip
        label={t.payout_status_chips.would_need_a_second_person}
        tone="neutral"
        meaning={t.payout_status_chips.above_the_limit_nothing_has}
      />
    ) : (
      <Chip label={t.payout_status_chips.would_be_sent} tone="neutral" meaning={t.payout_status_chips.nothing_has_been_created_or} />
    );
  if (state !== 'sending') return <OperatorPayoutStatusChip state={state} />;
  return <Chip label={t.payout_status_chips.started} tone="neutral" meaning={t.payout_status_chips.the_run_sent_it_to} />;
}

export const ReportedPaidChip = () => (
  <Chip label={t.payout_status_chips.reported_paid_later} tone="bad" meaning={t.payout_status_chips.it_failed_but_the_provider} />
);

const payoutTexts: StatusTexts<OperatorPayout['state']> = {
  awaiting_second: [t.payout_status_chips.needs_second_person, 'wait', t.payout_status_chips.above_the_limit_someone_other],
  sending: [t.payout_status_chips.sending, 'wait', t.payout_status_chips.the_provider_received_it_and],
  unknown: [t.payout_status_chips.unknown, 'wait', t.payout_status_chips.the_provider_did_not_respond],
  paid: [t.payout_status_chips.paid, 'good', t.payout_status_chips.the_creator_was_paid],
  failed: [t.payout_status_chips.failed, 'bad', t.payout_status_chips.it_was_not_paid_the],
  returned: [t.payout_status_chips.returned, 'bad', t.payout_status_chips.the_bank_returned_it_it],
};

/** The state of a payout and the next step. */
export function OperatorPayoutStatusChip({ state, provider }: Pick<OperatorPayout, 'state'> & { readonly provider?: string }) {
  if (state === 'sending' && provider === 'manual')
    return <Chip label={t.payout_status_chips.manual_transfer} tone="wait" meaning={t.payout_status_chips.make_the_bank_transfer_then} />;
  return <StatusChip texts={payoutTexts} state={state} />;
}
