export type MemberStatus = 'applied' | 'approved' | 'paused' | 'removed';

export type MemberDecision =
  | { readonly do: 'change' }
  /** It is so already: asking twice is no mistake. */
  | { readonly do: 'keep' }
  | { readonly do: 'refuse'; readonly message: string };

/**
 * What a merchant may make of a member. One whom the merchant removed may come back; one who left comes back by applying. An applicant
 * is approved or removed, there is nothing to pause yet.
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

/** A creator may leave from every state but the one in which the membership is over. */
export const decideLeave = (status: MemberStatus): MemberDecision => (status === 'removed' ? { do: 'keep' } : { do: 'change' });
