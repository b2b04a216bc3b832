import { addressHashOf } from '../people/address-hash.ts';
import { keepAudit } from '../people/audit.ts';
import type { RequestFacts } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import type { Queryable } from '../platform/database/database.ts';
import { publicId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { Review, WordCounts } from './review.ts';

/** What the audit log says of a call. Which commissions it changed stands in the history of each. */
export type ReviewAudit = {
  readonly platform: Platform;
  readonly identity: Identity;
  readonly request: RequestFacts;
  readonly review: Review;
  readonly which: { readonly ids: number } | { readonly filter: object };
};

/** The counts are known at the end only, so that this entry is not made from the request like all others. */
export async function keepReviewAudit(
  db: Queryable,
  { platform, identity, request, review, which }: ReviewAudit,
  ended: { readonly counts: WordCounts; readonly isWhole: boolean },
): Promise<void> {
  const { storeId, action } = review;
  const { do: word, ...told } = action;
  await keepAudit(db, {
    at: review.now(),
    actor: identity.actor,
    actorName: identity.name,
    storeId,
    creatorId: null,
    action: `commissions.${word}`,
    subject: `/api/v1/stores/${publicId('store', storeId)}/commissions/${word}`,
    details: { ...told, ...which, counts: ended.counts, ...(ended.isWhole ? {} : { ended: 'early, by a fault' }) },
    requestId: request.id,
    addressHash: addressHashOf(platform.secrets, request.address),
  });
}
