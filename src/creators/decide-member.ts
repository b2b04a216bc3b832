export type MemberStatus = 'applied' | 'approved' | 'paused' | 'removed';

export type MemberDecision =
  | { readonly do: 'change' }
  /** It is so already: asking twice is no mistake. */
  | { readonly do: 'keep' }
  | { readonly do: 'refuse'; readonly message: string };

/** What may become of a member. A removed one may come back; an applicant is approved or removed, there is nothing to pause yet. */
export function decideMember(status: MemberStatus, wanted: Exclude<MemberStatus, 'applied'>): MemberDecision {
  if (status === wanted) return { do: 'keep' };
  if (wanted === 'paused' && status !== 'approved')
    return { do: 'refuse', message: `Only an approved member can be paused; this one is ${status}.` };
  return { do: 'change' };
}
