import { apiMessage } from '../messages/api-message.ts';
import type { Terms } from './terms.ts';

type AcceptanceFacts = {
  readonly now: Date;
  /** Approved or paused. */
  readonly isMember: boolean;
  /** When the creator accepted it before; null: not yet. */
  readonly acceptedAt: Date | null;
};

export type AcceptanceDecision =
  | { readonly do: 'accept'; readonly terms: Terms }
  | { readonly do: 'keep'; readonly terms: Terms; readonly acceptedAt: Date }
  | { readonly do: 'refuse'; readonly message: string };

/** The version that creators are informed of and may accept: announced, not canceled, and not started. */
export const acceptableVersion = (versions: readonly Terms[], now: Date): Terms | null =>
  versions.find(({ isAnnounced, canceledAt, effectiveFrom }) => isAnnounced === true && canceledAt === undefined && effectiveFrom > now) ??
  null;

/** A repeated acceptance keeps the time of the first one. */
export function decideAcceptance(
  versions: readonly Terms[],
  version: number,
  { now, isMember, acceptedAt }: AcceptanceFacts,
): AcceptanceDecision {
  const terms = versions.find((one) => one.version === version);
  if (terms !== undefined && acceptedAt !== null) return { do: 'keep', terms, acceptedAt };
  if (!isMember) return { do: 'refuse', message: apiMessage('program_terms.membership_not_active') };
  if (terms === undefined || acceptableVersion(versions, now)?.version !== version)
    return { do: 'refuse', message: apiMessage('program_terms.version_not_acceptable') };
  return { do: 'accept', terms };
}
