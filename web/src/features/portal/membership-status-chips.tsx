import type { Membership } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import type { MemberStatus } from './creator-api.ts';
import { t } from './messages.ts';

type MembershipStatusChipProps = { readonly status: MemberStatus; readonly hasLeft?: boolean };

const membershipTexts: StatusTexts<MemberStatus> = {
  applied: [t.membership_status_chips.applied, 'wait', t.membership_status_chips.the_merchant_has_not_decided],
  approved: [t.membership_status_chips.member, 'good', t.membership_status_chips.you_can_make_links_and],
  paused: [t.membership_status_chips.paused, 'wait', t.membership_status_chips.the_merchant_paused_you_new],
  removed: [t.membership_status_chips.ended, 'neutral', t.membership_status_chips.the_merchant_said_no_or],
};

export function MembershipStatusChip({ status, hasLeft = false }: MembershipStatusChipProps) {
  if (hasLeft)
    return <Chip label={t.membership_status_chips.left} tone="neutral" meaning={t.membership_status_chips.you_left_new_visits_do} />;
  return <StatusChip texts={membershipTexts} state={status} />;
}

/** Why a member's links earn nothing at the moment. */
export function ProgramStatusFlag({ membership }: { readonly membership: Membership }) {
  const { program_status: program, store_status: store } = membership;
  if (store === 'archived')
    return (
      <Chip label={t.membership_status_chips.shop_closed} tone="neutral" meaning={t.membership_status_chips.the_shop_left_links_lead} />
    );
  if (store === 'past_due')
    return <Chip label={t.membership_status_chips.links_paused} tone="wait" meaning={t.membership_status_chips.the_shop_has_not_paid} />;
  if (program === 'draft')
    return (
      <Chip
        label={t.membership_status_chips.not_published_yet}
        tone="wait"
        meaning={t.membership_status_chips.the_merchant_still_prepares_the}
      />
    );
  return program === 'published' ? null : (
    <Chip
      label={t.membership_status_chips.program_paused}
      tone="wait"
      meaning={t.membership_status_chips.the_merchant_paused_the_program}
    />
  );
}
