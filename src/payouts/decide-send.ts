import type { Failure } from './decide-payout-end.ts';

export type SendFacts = {
  readonly isSuspended: boolean;
  /** Something in it, or the creator, is under review by now, or in a reserve period. */
  readonly isKeptBack: boolean;
  /** An earlier payout failed and was told paid afterwards, and nobody has decided of that: this one may pay the same once more. */
  readonly isEarlierContradicted: boolean;
  /** Where it was to go when it was gathered. */
  readonly payoutMethodId: string | null;
  /** Where its creator wants it now; null: nowhere. */
  readonly method: { readonly payoutMethodId: string; readonly cameBackAt: Date | null } | null;
};

/** What may have changed since it was gathered. Nothing was sent, so that giving it up costs nothing. The creator reads the message. */
export function failureBeforeSending({
  isSuspended,
  isKeptBack,
  isEarlierContradicted,
  payoutMethodId,
  method,
}: SendFacts): Failure | null {
  if (isSuspended) return { code: 'creator_suspended', message: 'The creator was suspended before it was sent.' };
  if (isKeptBack)
    return { code: 'under_review', message: 'Part of it is under review by the platform. The rest is paid with the next payout.' };
  if (isEarlierContradicted) return { code: 'earlier_contradicted', message: 'An earlier payout is looked into, so it was not sent.' };
  if (method === null || method.payoutMethodId !== payoutMethodId)
    return { code: 'method_changed', message: 'The payout method was changed before it was sent.' };
  if (method.cameBackAt !== null) return { code: 'came_back', message: 'An earlier payout came back from there before it was sent.' };
  return null;
}
