import type { Membership } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import type { MemberStatus } from './creator-api.ts';

type MembershipStatusChipProps = { readonly status: MemberStatus; readonly hasLeft?: boolean };

const membershipTexts: StatusTexts<MemberStatus> = {
  applied: ['Applied', 'wait', 'The merchant has not decided yet. You get a mail when they take you in.'],
  approved: ['Member', 'good', 'You can make links, and sales through them earn.'],
  paused: ['Paused', 'wait', 'The merchant paused you: new visits do not count. Visits before still do.'],
  removed: ['Ended', 'neutral', 'The merchant said no, or ended it. What you earned before stays yours.'],
};

export function MembershipStatusChip({ status, hasLeft = false }: MembershipStatusChipProps) {
  if (hasLeft) return <Chip label="Left" tone="neutral" meaning="You left. New visits do not count. What you earned before stays yours." />;
  return <StatusChip texts={membershipTexts} state={status} />;
}

/** Why a member's links earn nothing at the moment. */
export function ProgramStatusFlag({ membership }: { readonly membership: Membership }) {
  const { program_status: program, store_status: store } = membership;
  if (store === 'archived') return <Chip label="Shop closed" tone="neutral" meaning="The shop left. Links lead to it without counting." />;
  if (store === 'past_due')
    return <Chip label="Links paused" tone="wait" meaning="The shop has not paid its bill. Until it does, new visits do not count." />;
  if (program === 'draft')
    return (
      <Chip
        label="Not published yet"
        tone="wait"
        meaning="The merchant still prepares the program: it has no page yet, and visits do not count."
      />
    );
  return program === 'published' ? null : (
    <Chip label="Program paused" tone="wait" meaning="The merchant paused the program: new visits do not count." />
  );
}
