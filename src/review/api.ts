import { Type as T, type Static } from 'typebox';
import { commissionFilterFields, readCommissionFilter } from '../commissions/filter.ts';
import { decisionsOf, type Decision } from '../commissions/decisions-sql.ts';
import { commissionExists } from '../commissions/review-sql.ts';
import { positionShapes } from '../commissions/position.ts';
import { endpoint, type RequestFacts } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { isTransaction, type Queryable, type Transaction } from '../platform/database/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { cursorOf, pageFields, pageOf, pageQuery, pageReply, readPage, uuidShape } from '../platform/http/page.ts';
import { publicId, readPublicId, type Id } from '../platform/ids.ts';
import { must, never } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { keepReviewAudit } from './audit.ts';
import { showStretch, wordCountsJson } from './counts-json.ts';
import { reviewByFilter, reviewedByFilterMax, type ReviewPlace } from './by-filter.ts';
import { reviewHoldReasons, reviewWords, type ReviewAction, type ReviewWord } from './decide-review.ts';
import { countsOf, reviewByIds, reviewedPerTransactionMax, type Review, type WordCounts } from './review.ts';

const idLengthMax = 40;
const reasonLengthMax = 500;
const noteLengthMax = 2_000;

const textField = (lengthMax: number, lengthMin: number) =>
  T.String({ minLength: lengthMin, maxLength: lengthMax, pattern: String.raw`^[^\u0000\p{Cs}]*$` });

const which = {
  ids: T.Optional(T.Array(T.String({ maxLength: idLengthMax }), { minItems: 1, maxItems: reviewedPerTransactionMax })),
  filter: T.Optional(
    T.Object(commissionFilterFields, {
      additionalProperties: false,
      description:
        'Everything that matches, instead of ids. A filter that names no state means: approve and reject, pending commissions; hold, commissions that are not on hold; ' +
        'release, commissions on hold. A state or hold that is named is used as given. Reopen requires the state approved or rejected. An Idempotency-Key has no effect: to continue, repeat the call.',
    }),
  ),
  limit: T.Optional(
    T.Integer({ minimum: 1, maximum: reviewedByFilterMax, description: 'With a filter: how many one call decides at most' }),
  ),
  cursor: T.Optional(pageFields.cursor),
  note: T.Optional(orNull(textField(noteLengthMax, 0))),
};
const plainBody = T.Object(which, { additionalProperties: false });
const rejectBody = T.Object({ ...which, reason: textField(reasonLengthMax, 1) }, { additionalProperties: false });
const holdBody = T.Object({ ...which, reason: T.Enum(reviewHoldReasons) }, { additionalProperties: false });
type Which = Static<typeof plainBody>;

const reviewReply = T.Object({
  results: orNull(T.Record(T.String(), T.Enum(reviewWords), { description: 'By id what became of it; null where a filter said which' })),
  counts: wordCountsJson,
  decided: T.Array(T.Object({ first: T.String(), last: T.String() }), {
    description: 'The decisions that were made, from the first to the last of each transaction: what undo takes',
  }),
  has_more: T.Boolean({ description: 'More match than one call decides: call again' }),
  next_cursor: orNull(T.String({ description: 'Where it ended, for the next call with the same filter; null at the end' })),
});

const access = { who: 'store', permission: 'commissions:review' } as const;
/** By ids it is one transaction, like everything else here. By filter it may be a hundred. */
const inTransaction = ({ filter }: Which): boolean => filter === undefined;

type AskedToReview = {
  readonly platform: Platform;
  readonly db: Queryable;
  readonly identity: Identity;
  readonly request: RequestFacts;
  readonly ids: { readonly store: Id<'store'> };
  readonly body: Which;
};

export const approveCommissionsEndpoint = endpoint({
  summary: 'Approve commissions, also rejected ones again: they are billed after their hold',
  access,
  body: plainBody,
  reply: reviewReply,
  inTransaction,
  handle: (asked) => decide(asked, { do: 'approve', note: noteIn(asked.body) }),
});

export const rejectCommissionsEndpoint = endpoint({
  summary: 'Reject commissions, also approved ones, until they are billed',
  access,
  body: rejectBody,
  reply: reviewReply,
  inTransaction,
  handle: (asked) => decide(asked, { do: 'reject', reason: asked.body.reason, note: noteIn(asked.body) }),
});

export const reopenCommissionsEndpoint = endpoint({
  summary: 'Take an approval or a rejection back: pending again, until somebody decides',
  access,
  body: plainBody,
  reply: reviewReply,
  inTransaction,
  handle: (asked) => decide(asked, { do: 'reopen', note: noteIn(asked.body) }),
});

export const holdCommissionsEndpoint = endpoint({
  summary: 'Hold commissions: out of bills and payouts until they are released',
  access,
  body: holdBody,
  reply: reviewReply,
  inTransaction,
  handle: (asked) => decide(asked, { do: 'hold', reason: asked.body.reason, note: noteIn(asked.body) }),
});

export const releaseCommissionsEndpoint = endpoint({
  summary: 'End the hold of commissions, whatever it was for',
  access,
  body: plainBody,
  reply: reviewReply,
  inTransaction,
  handle: (asked) => decide(asked, { do: 'release', note: noteIn(asked.body) }),
});

const noteIn = ({ note = null }: Which): string | null => (note === '' ? null : note);

async function decide(asked: AskedToReview, action: ReviewAction): Promise<Static<typeof reviewReply> | Refusal> {
  const { platform, db, identity, ids, body } = asked;
  const by = { actor: identity.actor, name: identity.name };
  const review: Review = { storeId: ids.store, action, by, now: platform.clock.now };
  if (body.ids !== undefined && body.filter === undefined) {
    must(isTransaction(db), 'a decision by ids runs in a transaction');
    return decideByIds(db, asked, review, body.ids);
  }
  if (body.filter !== undefined && body.ids === undefined) return decideByFilter(asked, review, body.filter);
  return refuse('invalid_request', 'The body is not right; see errors.', [
    { field: 'ids', message: 'or filter says which: one of the two' },
  ]);
}

async function decideByIds(tx: Transaction, asked: AskedToReview, review: Review, texts: readonly string[]) {
  const named = [...new Set(texts)].map((text) => ({ text, commissionId: readPublicId('com', text) }));
  const { words, decided } = await reviewByIds(
    tx,
    review,
    named.flatMap(({ commissionId }) => commissionId ?? []),
  );
  const told = named.map(({ text, commissionId }): readonly [string, ReviewWord] => [
    text,
    (commissionId && words.get(commissionId)) ?? 'not_found',
  ]);
  const counts = countsOf(told.map(([, word]) => word));
  await keepReviewAudit(tx, { ...asked, review, which: { ids: named.length } }, { counts, isWhole: true });
  const stretches = decided === null ? [] : [showStretch(decided)];
  return { results: Object.fromEntries(told), counts, decided: stretches, has_more: false, next_cursor: null };
}

async function decideByFilter(asked: AskedToReview, review: Review, fields: NonNullable<Which['filter']>) {
  const { limit = reviewedByFilterMax, cursor } = asked.body;
  const effective = effectiveFilter(review.action, fields);
  if (isRefusal(effective)) return effective;
  const filter = readCommissionFilter(effective, 'filter.', review.now());
  if (isRefusal(filter)) return filter;
  const begun = placeIn(cursor);
  if (isRefusal(begun)) return begun;
  const { database } = asked.platform;
  const audit = { ...asked, review, which: { filter: effective } };
  let soFar = countsOf([]);
  try {
    const part = { place: begun, most: limit, onProgress: (counted: WordCounts) => void (soFar = counted) };
    const { counts, decided, next } = await reviewByFilter(database, review, filter, part);
    await keepReviewAudit(database, audit, { counts, isWhole: true });
    const place = next && cursorOf(cursorParts(next));
    return { results: null, counts, decided: decided.map(showStretch), has_more: next !== null, next_cursor: place };
  } catch (error) {
    // What the earlier transactions did is done, and told. Where even that cannot be written, the history of each still says who.
    await keepReviewAudit(database, audit, { counts: soFar, isWhole: false }).catch(() => {});
    throw error;
  }
}

type FilterFields = NonNullable<Which['filter']>;

/** "All that match" never decides a second time what was decided before, unless the filter names that state. */
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
      return refuse('invalid_request', 'The body is not right; see errors.', [
        { field: 'filter.state', message: 'must be approved or rejected to reopen by filter' },
      ]);
    default:
      return never(action);
  }
}

const cursorParts = ({ before, after }: ReviewPlace) => [publicId('com', before), ...after];
const beforeShape = /^com_\w+$/;

function placeIn(cursor: string | undefined): ReviewPlace | null | Refusal {
  if (cursor === undefined) return null;
  const page = readPage({ cursor }, [beforeShape, ...positionShapes]);
  const [recorded, ...after] = isRefusal(page) ? [] : (page.after ?? []);
  const before = recorded && readPublicId('com', recorded);
  if (before) return { before, after };
  return refuse('invalid_request', 'The body is not right; see errors.', [{ field: 'cursor', message: 'is none that such a call gave' }]);
}

const decisionJson = T.Object({
  id: T.String(),
  action: T.Enum(['approve', 'reject', 'hold', 'release', 'reopen']),
  reason: orNull(T.String()),
  note: orNull(T.String()),
  by: T.String({ description: '`user_…`, `key_…`, or `system` where it approved itself' }),
  by_name: T.String(),
  at: T.String(),
});

const showDecision = ({ decisionId, decidedBy, decidedByName, at, ...decision }: Decision): Static<typeof decisionJson> => ({
  id: publicId('dec', decisionId),
  action: decision.action,
  reason: decision.reason,
  note: decision.note,
  by: decidedBy,
  by_name: decidedByName,
  at: isoTime(at),
});

export const listDecisionsEndpoint = endpoint({
  summary: 'What was decided on a commission, by whom and why, newest first',
  access: { who: 'store', permission: 'store:read' },
  ids: { commission: 'com' },
  query: pageQuery,
  reply: pageOf(decisionJson),
  async handle({ db, ids, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    const commission = { storeId: ids.store, commissionId: ids.commission };
    if (!(await commissionExists(db, commission))) return notFound;
    return pageReply(await decisionsOf(db, commission, page), page, showDecision, ({ decisionId }) => [decisionId]);
  },
});
