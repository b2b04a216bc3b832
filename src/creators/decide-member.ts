export type MemberStatus = 'applied' | 'approved' | 'paused' | 'removed';

export type MemberDecision =
  | { readonly do: 'change' }
  /** The member already has this status. */
  | { readonly do: 'keep' }
  | { readonly do: 'refuse'; readonly message: string };

/**
 * The status changes that a merchant can make. A removed member can be approved again; a creator who left must apply again. An
 * application can be approved or removed, but not paused.
 */
export function decideMember(
  { status, hasLeft }: { readonly status: MemberStatus; readonly hasLeft: boolean },
  wanted: Exclude<MemberStatus, 'applied'>,
): MemberDecision {
  if (status === wanted) return { do: 'keep' };
  if (hasLeft) return { do: 'refuse', message: 'This creator left the program. They can apply again; until then nobody can approve them.' };
  if (wanted === 'paused' && status !== 'approved')
    return { do: 'refuse', message: `Only an approved member can be paused; this one is ${status}.` };
  return { do: 'change' };
}

/** A creator can leave unless the membership has ended. */
export const decideLeave = (status: MemberStatus): MemberDecision => (status === 'removed' ? { do: 'keep' } : { do: 'change' });
