import type { Membership } from '../../../../sdk/src/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import type { MemberStatus } from './creator-api.ts';
import { t } from './messages.ts';

type MembershipStatusChipProps = { readonly status: MemberStatus; readonly hasLeft?: boolean };

const membershipTexts: StatusTexts<MemberStatus> = {
  applied: [t.membership_status_chips.applied, 'wait', t.membership_status_chips.the_merchant_is_reviewing_your],
  approved: [t.membership_status_chips.member, 'good', t.membership_status_chips.you_can_create_links_and],
  paused: [t.membership_status_chips.paused, 'wait', t.membership_status_chips.the_merchant_paused_your_membershi],
  removed: [t.membership_status_chips.ended, 'neutral', t.membership_status_chips.the_merchant_declined_your_applica],
};

export function MembershipStatusChip({ status, hasLeft = false }: MembershipStatusChipProps) {
  if (hasLeft)
    return <Chip label={t.membership_status_chips.left} tone="neutral" meaning={t.membership_status_chips.you_left_the_program_new} />;
  return <StatusChip texts={membershipTexts} state={status} />;
}

/** Why a member's links earn nothing at the moment. */
export function ProgramStatusFlag({ membership }: { readonly membership: Membership }) {
  const { program_status: program, store_status: store } = membership;
  if (store === 'archived')
    return (
      <Chip label={t.membership_status_chips.store_closed} tone="neutral" meaning={t.membership_status_chips.the_store_no_longer_uses} />
    );
  if (store === 'past_due')
    return (
      <Chip label={t.membership_status_chips.links_paused} tone="wait" meaning={t.membership_status_chips.the_merchant_has_an_unpaid} />
    );
  if (program === 'draft')
    return (
      <Chip
        label={t.membership_status_chips.not_published}
        tone="wait"
        meaning={t.membership_status_chips.the_merchant_hasnt_published_this}
      />
    );
  return program === 'published' ? null : (
    <Chip
      label={t.membership_status_chips.program_paused}
      tone="wait"
      meaning={t.membership_status_chips.the_merchant_paused_this_program}
    />
  );
}
