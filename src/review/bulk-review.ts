import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import {
  commissionCursor,
  commissionCursorShapes,
  commissionFilterFields,
  parseCommissionFilter,
  type CommissionFilter,
} from '../commissions/commission-filter.ts';
import { listMatching, lockForReview, lockMatching } from '../commissions/review-sql.ts';
import { hashAddress } from '../people/address-hash.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { endpoint, type RequestFacts } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { isTransaction, type Database, type Queryable, type Transaction } from '../db/database.ts';
import { isRefusal, refuse, type Refusal } from '../http/responses.ts';
import { namedObject, orNull, textField, idField } from '../http/fields.ts';
import { cursorOf, pageFields, readPage } from '../http/page.ts';
import { newId, publicId, readPublicId, type Id } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { applyReview, reviewedPerTransactionMax, type Review, type Reviewed } from './apply-review.ts';
import { reviewHoldReasons, reviewResults, type ReviewAction, type ReviewResult } from './decide-review.ts';
import { addCounts, countResults, reviewCountsJson, showDecisionRange, type DecisionRange, type ReviewCounts } from './review-counts.ts';
import { apiMessage } from '../messages/api-message.ts';

const reasonLengthMax = 500;
const noteLengthMax = 2_000;

/** The limit of one call by filter; a cursor continues it. */
export const reviewByFilterMax = 100_000;

const selection = {
  ids: T.Optional(T.Array(idField(), { minItems: 1, maxItems: reviewedPerTransactionMax })),
  filter: T.Optional(
    T.Object(commissionFilterFields, {
      additionalProperties: false,
      description:
        'Everything that matches, instead of ids. A filter that names no state means: approve and reject, pending commissions; hold, commissions that are not on hold; ' +
        'release, commissions on hold. A state or hold that is named is used as given. Reopen requires the state approved or rejected. An Idempotency-Key has no effect: to continue, repeat the call.',
    }),
  ),
  limit: T.Optional(
    T.Integer({ minimum: 1, maximum: reviewByFilterMax, description: 'With a filter: the maximum number of decisions in one call' }),
  ),
  cursor: T.Optional(pageFields.cursor),
  note: T.Optional(orNull(textField(noteLengthMax, 0))),
};
const plainBody = T.Object(selection, { additionalProperties: false });
const rejectBody = T.Object({ ...selection, reason: textField(reasonLengthMax, 1) }, { additionalProperties: false });
const holdBody = T.Object({ ...selection, reason: T.Enum(reviewHoldReasons) }, { additionalProperties: false });
type Selection = Static<typeof plainBody>;

const reviewReply = namedObject('ReviewSummary', {
  results: orNull(T.Record(T.String(), T.Enum(reviewResults), { description: 'The result of each ID; null if the call used a filter' })),
  counts: reviewCountsJson,
  decided: T.Array(T.Object({ first: T.String(), last: T.String() }), {
    description: 'The decisions of each transaction, for undo',
  }),
  has_more: T.Boolean({ description: 'True if more commissions match; call again' }),
  next_cursor: orNull(T.String({ description: 'The cursor for the next call with the same filter; null at the end' })),
});

const access = { allow: 'store', permission: 'commissions:review' } as const;
/** A call with IDs runs in one transaction like other operations. A call with a filter runs in up to a hundred. */
const inTransaction = ({ filter }: Selection): boolean => filter === undefined;

type ReviewRequest = {
  readonly platform: Platform;
  readonly db: Queryable;
  readonly identity: Identity;
  readonly request: RequestFacts;
  readonly ids: { readonly store: Id<'store'> };
  readonly body: Selection;
};

export const approveCommissionsEndpoint = endpoint({
  summary: 'Approve pending or rejected commissions: they are invoiced after the refund hold',
  access,
  body: plainBody,
  reply: reviewReply,
  inTransaction,
  handle: (request) => handleReview(request, { do: 'approve', note: noteOrNull(request.body) }),
});

export const rejectCommissionsEndpoint = endpoint({
  summary: 'Reject pending or approved commissions that are not invoiced',
  access,
  body: rejectBody,
  reply: reviewReply,
  inTransaction,
  handle: (request) => handleReview(request, { do: 'reject', reason: request.body.reason, note: noteOrNull(request.body) }),
});

export const reopenCommissionsEndpoint = endpoint({
  summary: 'Return commissions to pending: withdraws an approval or a rejection',
  access,
  body: plainBody,
  reply: reviewReply,
  inTransaction,
  handle: (request) => handleReview(request, { do: 'reopen', note: noteOrNull(request.body) }),
});

export const holdCommissionsEndpoint = endpoint({
  summary: 'Hold commissions: excludes them from invoices and payouts until they are released',
  access,
  body: holdBody,
  reply: reviewReply,
  inTransaction,
  handle: (request) => handleReview(request, { do: 'hold', reason: request.body.reason, note: noteOrNull(request.body) }),
});

export const releaseCommissionsEndpoint = endpoint({
  summary: 'Release held commissions',
  access,
  body: plainBody,
  reply: reviewReply,
  inTransaction,
  handle: (request) => handleReview(request, { do: 'release', note: noteOrNull(request.body) }),
});

const noteOrNull = ({ note = null }: Selection): string | null => (note === '' ? null : note);

async function handleReview(request: ReviewRequest, action: ReviewAction): Promise<Static<typeof reviewReply> | Refusal> {
  const { platform, db, identity, ids, body } = request;
  const by = { actor: identity.actor, name: identity.name };
  const review: Review = { storeId: ids.store, action, by, now: platform.clock.now };
  if (body.ids !== undefined && body.filter === undefined) {
    invariant(isTransaction(db), 'a review by IDs runs in a transaction');
    return handleByIds(db, request, review, body.ids);
  }
  if (body.filter !== undefined && body.ids === undefined) return handleByFilter(request, review, body.filter);
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [
    { field: 'ids', message: apiMessage('bulk_review.or_filter_required_but_not') },
  ]);
}

async function handleByIds(tx: Transaction, request: ReviewRequest, review: Review, texts: readonly string[]) {
  const named = [...new Set(texts)].map((text) => ({ text, commissionId: readPublicId('com', text) }));
  const reviewed = await reviewByIds(
    tx,
    review,
    named.flatMap(({ commissionId }) => commissionId ?? []),
  );
  const results = named.map(({ text, commissionId }): readonly [string, ReviewResult] => [
    text,
    (commissionId && reviewed.results.get(commissionId)) ?? 'not_found',
  ]);
  const counts = countResults(results.map(([, result]) => result));
  const only = named.length === 1 ? { commission_id: named[0]?.text } : {};
  await recordBulkReview(tx, { ...request, review, selection: { ids: named.length, ...only } }, { counts, isComplete: true });
  const decided = reviewed.decided === null ? [] : [showDecisionRange(reviewed.decided)];
  return { results: Object.fromEntries(results), counts, decided, has_more: false, next_cursor: null };
}

/** Commissions that do not exist are missing in the results. */
export async function reviewByIds(tx: Transaction, review: Review, commissionIds: ReadonlyArray<Id<'com'>>): Promise<Reviewed> {
  invariant(commissionIds.length <= reviewedPerTransactionMax, 'the caller limits the number of commissions');
  return applyReview(tx, review, await lockForReview(tx, review.storeId, commissionIds));
}

async function handleByFilter(request: ReviewRequest, review: Review, fields: FilterFields) {
  const { limit = reviewByFilterMax, cursor: cursorText } = request.body;
  const effective = effectiveFilter(review.action, fields);
  if (isRefusal(effective)) return effective;
  const filter = parseCommissionFilter(effective, 'filter.', review.now());
  if (isRefusal(filter)) return filter;
  const cursor = parseCursor(cursorText);
  if (isRefusal(cursor)) return cursor;
  const { database } = request.platform;
  const audit = { ...request, review, selection: { filter: effective } };
  let soFar = countResults([]);
  try {
    const options = { cursor, max: limit, onProgress: (counts: ReviewCounts) => void (soFar = counts) };
    const { counts, decided, next } = await reviewByFilter(database, review, filter, options);
    await recordBulkReview(database, audit, { counts, isComplete: true });
    const nextCursor = next && cursorOf([publicId('com', next.before), ...next.after]);
    return { results: null, counts, decided: decided.map(showDecisionRange), has_more: next !== null, next_cursor: nextCursor };
  } catch (error) {
    // Earlier transactions are committed, so their counts are recorded. If this fails too, each commission's own history is complete.
    await recordBulkReview(database, audit, { counts: soFar, isComplete: false }).catch(() => {});
    throw error;
  }
}

type FilterFields = NonNullable<Selection['filter']>;

/** A filter without a state selects only commissions that the action has not decided on before. */
function effectiveFilter(action: ReviewAction, fields: FilterFields): FilterFields | Refusal {
  switch (action.do) {
    case 'approve':
    case 'reject':
      return { state: 'pending', ...fields };
    case 'hold':
      return { held: false, ...fields };
    case 'release':
      return { held: true, ...fields };
    case 'reopen':
      if (fields.state === 'approved' || fields.state === 'rejected') return fields;
      return refuse('invalid_request', apiMessage('shared.body_invalid'), [
        { field: 'filter.state', message: apiMessage('bulk_review.must_approved_or_rejected_reopen') },
      ]);
    default:
      return never(action);
  }
}

/** Where a call ended. Neither it nor the calls that continue it include commissions recorded after `before`. */
export type FilterCursor = { readonly before: Id<'com'>; readonly after: readonly string[] };

const recordedBeforeShape = /^com_\w+$/;

function parseCursor(cursor: string | undefined): FilterCursor | null | Refusal {
  if (cursor === undefined) return null;
  const page = readPage({ cursor }, [recordedBeforeShape, ...commissionCursorShapes]);
  const [recorded, ...after] = isRefusal(page) ? [] : (page.after ?? []);
  const before = recorded && readPublicId('com', recorded);
  if (before) return { before, after };
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [
    { field: 'cursor', message: apiMessage('bulk_review.not_cursor_operation') },
  ]);
}

export type FilterReviewOptions = {
  readonly cursor?: FilterCursor | null;
  readonly max?: number;
  /** Called after each transaction. */
  readonly onProgress?: (soFar: ReviewCounts) => void;
};

export type FilterReviewResult = {
  readonly counts: ReviewCounts;
  /** One range for each transaction that changed something. */
  readonly decided: readonly DecisionRange[];
  readonly next: FilterCursor | null;
};

/**
 * Decides on the matching commissions that exist now, latest first as the list shows them, in transactions of at most 1,000. If a
 * transaction fails, earlier ones stay committed, and the next call continues there.
 */
export async function reviewByFilter(
  database: Database,
  review: Review,
  filter: CommissionFilter,
  { cursor = null, max = reviewByFilterMax, onProgress = () => {} }: FilterReviewOptions = {},
): Promise<FilterReviewResult> {
  const { storeId } = review;
  const before = cursor?.before ?? newId<'com'>(new Date(review.now().getTime() + 1));
  let counts = countResults([]);
  const ranges: DecisionRange[] = [];
  let after: readonly string[] | null = cursor?.after ?? null;
  for (let left = max; left > 0; left -= reviewedPerTransactionMax) {
    const limit = Math.min(left, reviewedPerTransactionMax);
    const matching = await listMatching(database, storeId, filter, { after, before, limit });
    const commissionIds = matching.map(({ commissionId }) => commissionId);
    const { results, decided }: Reviewed = await database.transaction(async (tx) =>
      applyReview(tx, review, await lockMatching(tx, filter, { storeId, commissionIds })),
    );
    counts = addCounts(counts, countResults(results.values()));
    if (decided !== null) ranges.push(decided);
    onProgress(counts);
    const last = matching.at(-1);
    if (matching.length < limit || !last) return { counts, decided: ranges, next: null };
    after = commissionCursor(last);
  }
  return { counts, decided: ranges, next: after && { before, after } };
}

type BulkReviewAudit = Pick<ReviewRequest, 'platform' | 'identity' | 'request'> & {
  readonly review: Review;
  /** The log names the commission if there is only one. */
  readonly selection: { readonly ids: number; readonly commission_id?: string | undefined } | { readonly filter: object };
};

/** Written here and not by the endpoint, because the counts are known only at the end. Each commission has its own history. */
async function recordBulkReview(
  db: Queryable,
  { platform, identity, request, review, selection: selected }: BulkReviewAudit,
  { counts, isComplete }: { readonly counts: ReviewCounts; readonly isComplete: boolean },
): Promise<void> {
  const { storeId, action } = review;
  const { do: name, ...details } = action;
  await recordAuditEntry(db, {
    at: review.now(),
    actor: identity.actor,
    actorName: identity.name,
    storeId,
    creatorId: null,
    action: `commissions.${name}`,
    subject: `/api/v1/stores/${publicId('store', storeId)}/commissions/${name}`,
    details: { ...details, ...selected, counts, ...(isComplete ? {} : { ended: 'early, by an error' }) },
    requestId: request.id,
    addressHash: hashAddress(platform.secrets, request.address),
  });
}
