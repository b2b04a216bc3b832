import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction } from '../platform/database/database.ts';
import { isRefusal, notFound } from '../platform/http/answers.ts';
import { isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { pageFields, pageOf, pageReply, readPage, uuidShape } from '../platform/http/page.ts';
import { publicId, readPublicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { allDisputes, disputeStates, listDisputes, type Dispute } from './disputes-sql.ts';
import { answerDispute, openDispute } from './disputes.ts';

const wordsLengthMax = 2_000;
const idLengthMax = 40;
const words = (lengthMin: number) => T.String({ minLength: lengthMin, maxLength: wordsLengthMax, pattern: String.raw`^[^\u0000\p{Cs}]*$` });

const disputeJson = T.Object({
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

/** Who decided is the shop's own business. */
const showToCreator = (dispute: Dispute): Static<typeof disputeJson> => ({ ...showDispute(dispute), decided_by_name: null });

const key = T.String({ maxLength: idLengthMax });

export const openDisputeEndpoint = endpoint({
  summary: 'Object to the rejection of a commission; the shop is told, and decides',
  access: { who: 'creator', permission: 'creator:write' },
  body: T.Object({ store_id: key, commission_id: key, text: words(1) }, { additionalProperties: false }),
  reply: disputeJson,
  status: 201,
  audit: 'dispute.open',
  async handle({ platform, db, ids, body, now }) {
    must(isTransaction(db), 'what changes something runs in a transaction');
    const storeId = readPublicId('store', body.store_id);
    const commissionId = readPublicId('com', body.commission_id);
    if (storeId === null || commissionId === null) return notFound;
    const opened = await openDispute(db, platform, { storeId, commissionId, creatorId: ids.creator, words: body.text, now });
    return isRefusal(opened) ? opened : showToCreator(opened);
  },
});

export const listCreatorDisputesEndpoint = endpoint({
  summary: "A creator's disputes with one shop, the latest first",
  access: { who: 'creator', permission: 'creator:read' },
  query: T.Object({ store_id: key, ...pageFields }, { additionalProperties: false }),
  reply: pageOf(disputeJson),
  async handle({ db, ids, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    const storeId = readPublicId('store', query.store_id);
    const disputes = storeId === null ? [] : await listDisputes(db, storeId, { state: null, creatorId: ids.creator }, page);
    return pageReply(disputes, page, showToCreator, ({ disputeId }) => [disputeId]);
  },
});

export const listDisputesEndpoint = endpoint({
  summary: 'What creators object to, the latest first',
  access: { who: 'store', permission: 'store:read' },
  query: T.Object({ state: T.Optional(T.Enum([...disputeStates])), ...pageFields }, { additionalProperties: false }),
  reply: pageOf(disputeJson),
  async handle({ db, ids, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    const disputes = await listDisputes(db, ids.store, { state: query.state ?? null, creatorId: null }, page);
    return pageReply(disputes, page, showDispute, ({ disputeId }) => [disputeId]);
  },
});

export const listAllDisputesEndpoint = endpoint({
  summary: 'What creators object to in all stores, the latest first',
  access: { who: 'operator' },
  query: T.Object({ state: T.Optional(T.Enum([...disputeStates])), ...pageFields }, { additionalProperties: false }),
  reply: pageOf(disputeJson),
  async handle({ db, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(await allDisputes(db, query.state ?? null, page), page, showDispute, ({ disputeId }) => [disputeId]);
  },
});

const decide = { who: 'store', permission: 'commissions:review' } as const;

export const acceptDisputeEndpoint = endpoint({
  summary: 'Agree with a creator: the commission is pending again, and is decided on anew',
  access: decide,
  ids: { dispute: 'disp' },
  body: T.Object({ note: T.Optional(orNull(words(0))) }, { additionalProperties: false }),
  reply: disputeJson,
  audit: 'dispute.accept',
  async handle({ platform, db, ids, body, identity }) {
    must(isTransaction(db), 'what changes something runs in a transaction');
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
  summary: 'Keep a rejection, and tell the creator why',
  access: decide,
  ids: { dispute: 'disp' },
  body: T.Object({ note: words(1) }, { additionalProperties: false }),
  reply: disputeJson,
  audit: 'dispute.decline',
  async handle({ platform, db, ids, body, identity }) {
    must(isTransaction(db), 'what changes something runs in a transaction');
    const by = { actor: identity.actor, name: identity.name };
    const answer = { storeId: ids.store, disputeId: ids.dispute, end: 'declined', note: body.note, by, now: platform.clock.now } as const;
    const ended = await answerDispute(db, platform, answer);
    return isRefusal(ended) ? ended : showDispute(ended);
  },
});
