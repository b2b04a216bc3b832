import { Chip } from '../parts/chip.tsx';
import type { Membership, MemberStatus } from './creator-api.ts';

type MemberChipProps = { readonly status: MemberStatus; readonly hasLeft?: boolean };

export function MemberChip({ status, hasLeft = false }: MemberChipProps) {
  if (hasLeft) return <Chip word="Left" tone="calm" meaning="You left. New visits do not count. What you earned before stays yours." />;
  switch (status) {
    case 'applied':
      return <Chip word="Applied" tone="wait" meaning="The merchant has not decided yet. You get a mail when they take you in." />;
    case 'approved':
      return <Chip word="Member" tone="good" meaning="You can make links, and sales through them earn." />;
    case 'paused':
      return <Chip word="Paused" tone="wait" meaning="The merchant paused you: new visits do not count. Visits before still do." />;
    case 'removed':
      return <Chip word="Ended" tone="calm" meaning="The merchant said no, or ended it. What you earned before stays yours." />;
  }
}

/** Why links earn nothing at the moment although one is a member. */
export function ProgramFlag({ membership }: { readonly membership: Membership }) {
  const { program_status: program, store_status: store } = membership;
  if (store === 'archived') return <Chip word="Shop closed" tone="calm" meaning="The shop left. Links lead to it without counting." />;
  if (store === 'past_due')
    return <Chip word="Links paused" tone="wait" meaning="The shop has not paid its bill. Until it does, new visits do not count." />;
  if (program === 'draft')
    return (
      <Chip
        word="Not published yet"
        tone="wait"
        meaning="The merchant still prepares the program: it has no page yet, and visits do not count."
      />
    );
  return program === 'published' ? null : (
    <Chip word="Program paused" tone="wait" meaning="The merchant paused the program: new visits do not count." />
  );
}
