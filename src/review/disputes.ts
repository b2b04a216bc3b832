import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { lockForReview } from '../commissions/review-sql.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction, type Transaction } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull, textField, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { newId, publicId, readPublicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { applyReview } from './apply-review.ts';
import { decideDispute } from './decide-dispute.ts';
import {
  closeDispute,
  countEarlierDisputes,
  disputeSorts,
  disputeStates,
  insertDispute,
  listDisputes,
  listDisputesOfAllStores,
  lockDispute,
  storeDisputeSorts,
  type Dispute,
} from './disputes-sql.ts';
import { disputeAnsweredEmail, disputeOpenedEmail, listReviewers, type DisputeOutcome } from './review-emails.ts';
import { listEndpoint, sortedListEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const disputeTextLengthMax = 2_000;
const disputeText = (lengthMin: number) => textField(disputeTextLengthMax, lengthMin);

const disputeJson = namedObject('Dispute', {
  id: T.String(),
  store_id: T.String(),
  commission_id: T.String(),
  creator_id: T.String(),
  text: T.String(),
  opened_at: T.String(),
  state: T.Enum([...disputeStates]),
  decided_at: orNull(T.String()),
  decided_by_name: orNull(T.String()),
  note: orNull(T.String()),
});

const showDispute = (dispute: Dispute): Static<typeof disputeJson> => ({
  id: publicId('disp', dispute.disputeId),
  store_id: publicId('store', dispute.storeId),
  commission_id: publicId('com', dispute.commissionId),
  creator_id: publicId('crt', dispute.creatorId),
  text: dispute.words,
  opened_at: isoTime(dispute.openedAt),
  state: dispute.state,
  decided_at: isoTimeOrNull(dispute.decidedAt),
  decided_by_name: dispute.decidedByName,
  note: dispute.note,
});

/** The creator does not see which person of the store decided. */
const showToCreator = (dispute: Dispute): Static<typeof disputeJson> => ({ ...showDispute(dispute), decided_by_name: null });

const key = idField();

export const openDisputeEndpoint = endpoint({
  summary: 'Dispute the rejection of a commission; the store is notified and decides',
  access: { allow: 'creator', permission: 'creator:write' },
  body: T.Object({ store_id: key, commission_id: key, text: disputeText(1) }, { additionalProperties: false }),
  reply: disputeJson,
  status: 201,
  audit: 'dispute.open',
  async handle({ platform, db, ids, body, now }) {
    invariant(isTransaction(db), 'a write operation runs in a transaction');
    const storeId = readPublicId('store', body.store_id);
    const commissionId = readPublicId('com', body.commission_id);
    if (storeId === null || commissionId === null) return notFound;
    const opened = await openDispute(db, platform, { storeId, commissionId, creatorId: ids.creator, words: body.text, now });
    return isRefusal(opened) ? opened : showToCreator(opened);
  },
});

export const listCreatorDisputesEndpoint = listEndpoint({
  summary: "List a creator's disputes with a store, newest first",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object({ store_id: key, ...pageFields }, { additionalProperties: false }),
  item: disputeJson,
  async rows({ db, ids, query }, page) {
    const storeId = readPublicId('store', query.store_id);
    return storeId === null ? [] : listDisputes(db, storeId, { state: null, creatorId: ids.creator }, page);
  },
  renderer: () => showToCreator,
  key: ({ disputeId }) => [disputeId],
});

const stateField = { state: T.Optional(T.Enum([...disputeStates])) };

export const listDisputesEndpoint = sortedListEndpoint({
  summary: 'List the disputes of the store, newest first',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...stateField, ...pageFields, ...sortField(storeDisputeSorts) }, { additionalProperties: false }),
  item: disputeJson,
  readFilter: ({ query }) => ({ state: query.state ?? null, creatorId: null }),
  rows: ({ db, ids, filter }, page) => listDisputes(db, ids.store, filter, page),
  renderer: () => showDispute,
  sorts: storeDisputeSorts,
});

export const listAllDisputesEndpoint = sortedListEndpoint({
  summary: 'List the disputes of all stores, newest first',
  access: { allow: 'operator' },
  query: T.Object({ ...stateField, ...pageFields, ...sortField(disputeSorts) }, { additionalProperties: false }),
  item: disputeJson,
  readFilter: ({ query }) => query.state ?? null,
  rows: ({ db, filter: state }, page) => listDisputesOfAllStores(db, state, page),
  renderer: () => showDispute,
  sorts: disputeSorts,
});

const reviewAccess = { allow: 'store', permission: 'commissions:review' } as const;

export const acceptDisputeEndpoint = endpoint({
  summary: 'Accept a dispute: the commission returns to pending',
  access: reviewAccess,
  ids: { dispute: 'disp' },
  body: T.Object({ note: T.Optional(orNull(disputeText(0))) }, { additionalProperties: false }),
  reply: disputeJson,
  audit: 'dispute.accept',
  async handle({ platform, db, ids, body, identity }) {
    invariant(isTransaction(db), 'a write operation runs in a transaction');
    const by = { actor: identity.actor, name: identity.name };
    const answer = {
      storeId: ids.store,
      disputeId: ids.dispute,
      end: 'accepted',
      note: body.note ?? null,
      by,
      now: platform.clock.now,
    } as const;
    const ended = await answerDispute(db, platform, answer);
    return isRefusal(ended) ? ended : showDispute(ended);
  },
});

export const declineDisputeEndpoint = endpoint({
  summary: 'Decline a dispute with a reason: the rejection remains in force',
  access: reviewAccess,
  ids: { dispute: 'disp' },
  body: T.Object({ note: disputeText(1) }, { additionalProperties: false }),
  reply: disputeJson,
  audit: 'dispute.decline',
  async handle({ platform, db, ids, body, identity }) {
    invariant(isTransaction(db), 'a write operation runs in a transaction');
    const by = { actor: identity.actor, name: identity.name };
    const answer = { storeId: ids.store, disputeId: ids.dispute, end: 'declined', note: body.note, by, now: platform.clock.now } as const;
    const ended = await answerDispute(db, platform, answer);
    return isRefusal(ended) ? ended : showDispute(ended);
  },
});

type NewDispute = {
  readonly storeId: Id<'store'>;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly words: string;
  readonly now: Date;
};

/** Locks the commission, so that only one dispute is open at a time and no review decision comes in between. */
export async function openDispute(
  tx: Transaction,
  platform: Platform,
  { storeId, commissionId, creatorId, words, now }: NewDispute,
): Promise<Dispute | Refusal> {
  const [locked] = await lockForReview(tx, storeId, [commissionId]);
  const commission = locked !== undefined && locked.creatorId === creatorId ? locked : null;
  const before = await countEarlierDisputes(tx, { storeId, commissionId });
  const decision = decideDispute({ commission, hasOpen: before.hasOpen, declinedBefore: Number(before.declined) });
  if (decision.do === 'refuse') return refusals[decision.why];
  const dispute = await insertDispute(tx, { storeId, disputeId: newId<'disp'>(now), commissionId, creatorId, words, openedAt: now });
  const store = await findStore(tx, storeId);
  invariant(store, 'stores are never deleted');
  const url = `${platform.config.baseUrl}/stores/${publicId('store', storeId)}/disputes`;
  for (const { email } of await listReviewers(tx, storeId, 'disputes'))
    await enqueueEmail(tx, platform.secrets, { to: email, content: disputeOpenedEmail({ storeName: store.name, words, url }), storeId });
  return dispute;
}

const refusals = {
  not_found: notFound,
  open: refuse('conflict', apiMessage('disputes.you_already_disputed_commission_and')),
  not_rejected: refuse('unprocessable', apiMessage('disputes.only_rejected_commission_can_disputed')),
  too_often: refuse('limit_reached', apiMessage('disputes.store_has_answered_three_disputes')),
} as const;

export type DisputeAnswer = {
  readonly storeId: Id<'store'>;
  readonly disputeId: Id<'disp'>;
  readonly end: 'accepted' | 'declined';
  readonly note: string | null;
  readonly by: { readonly actor: string; readonly name: string };
  readonly now: () => Date;
};

/** Accepting reopens the commission for another review, unless it is no longer rejected. */
export async function answerDispute(tx: Transaction, platform: Platform, answer: DisputeAnswer): Promise<Dispute | Refusal> {
  const { storeId, end, note, by, now } = answer;
  const dispute = await lockDispute(tx, answer);
  if (dispute === null) return notFound;
  if (dispute.state !== 'open') return refuse('conflict', apiMessage('disputes.dispute_already', { state: dispute.state }));
  const answered = end === 'declined' ? end : await reopenRejected(tx, answer, dispute);
  const ended = await closeDispute(tx, answer, { state: end, at: now(), by: by.actor, byName: by.name, note });
  const [store, creator] = [await findStore(tx, storeId), await findCreator(tx, dispute.creatorId)];
  invariant(store && creator, 'stores and creators are never deleted');
  const content = disputeAnsweredEmail({ storeName: store.name, answered, note });
  await enqueueEmail(tx, platform.secrets, { to: creator.email, content, storeId: null });
  return ended;
}

/** Returns what the creator's email says: a commission that is no longer rejected is not reopened. */
async function reopenRejected(tx: Transaction, { storeId, note, by, now }: DisputeAnswer, dispute: Dispute): Promise<DisputeOutcome> {
  const locked = await lockForReview(tx, storeId, [dispute.commissionId]);
  const rejected = locked.filter(({ state }) => state === 'rejected');
  await applyReview(tx, { storeId, action: { do: 'reopen', note }, by, now }, rejected);
  if (locked.some(({ state }) => state === 'reversed')) return 'reversed';
  return locked.some(({ state }) => state === 'rejected' || state === 'pending') ? 'reopened' : 'approved';
}
