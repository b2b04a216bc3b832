import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { copySuspensionsSoon } from '../creators/copy-suspensions.ts';
import { suspendCreator } from '../creators/suspensions.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { findReserve } from '../holds/reserves.ts';
import { releaseReserve } from '../holds/reserves-sql.ts';
import { archiveStore } from '../merchants/stores.ts';
import { findStore, setIntegrationDisabled, storesById } from '../merchants/stores-sql.ts';
import type { AuditAction } from '../people/audit-actions.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { endpoint, type RequestFacts } from '../people/endpoint.ts';
import { emailOperators } from '../people/operators.ts';
import { hashAddress } from '../people/address-hash.ts';
import type { Identity } from '../people/identity.ts';
import { isTransaction, type Queryable, type Transaction } from '../db/database.ts';
import { isRefusal, notFound, type Refusal, refuse } from '../http/responses.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { type Id, newId, publicId, readPublicId } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { type Affected, sumAffectedMoney, listExposedCreators } from './affected-money-sql.ts';
import { caseStates, resolutions, type RiskCase, riskRules, ruleSentences } from './risk-case.ts';
import {
  type CaseEvent,
  type CaseFilter,
  caseSorts,
  closeCase,
  listCaseEvents,
  findCase,
  insertCaseEvent,
  listCases,
  lockCase,
} from './cases-sql.ts';
import { reserveReleasedEmail } from './maintain-cases.ts';
import { decideEscalation, type Escalation, escalations } from './decide-escalation.ts';
import { releaseLocked, releaserRefusal, applyPairHolds } from './release-case.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const access = { allow: 'operator' } as const;
const ids = { case: 'case' } as const;
const reasonLength = { least: 3, most: 500 };

const evidenceJson = T.Object({ what: T.String(), found: T.String(), compared: orNull(T.String()) });

const caseFields = {
  id: T.String(),
  rule: T.Enum([...riskRules]),
  sentence: T.String({ description: 'What the rule found, in a sentence for operators' }),
  state: T.Enum([...caseStates]),
  enforced: T.Boolean({ description: 'False if nothing is held and the case only shows what would be' }),
  store_id: orNull(T.String()),
  store_name: orNull(T.String()),
  creator_id: orNull(T.String()),
  creator_name: orNull(T.String()),
  invoice_id: orNull(T.String()),
  charge_id: orNull(T.String()),
  evidence: T.Array(evidenceJson),
  opened_at: T.String(),
  closed_at: orNull(T.String()),
};

export const caseJson = namedObject('RiskCaseDetails', {
  ...caseFields,
  affected: T.Object({
    ahead_cents: centsField('Earned and not yet collected from the store'),
    collected_cents: centsField('Collected and not in a payout'),
    in_payout_cents: centsField('In payouts that have not arrived'),
    paid_cents: centsField('Already paid out: the loss if the payment is refunded'),
  }),
  creators: T.Array(T.Object({ creator_id: T.String(), creator_name: T.String(), paid_cents: centsField(), open_cents: centsField() }), {
    description: 'For a case about an invoice: the creators that it pays, largest amounts first, at most 50',
  }),
  history: T.Array(
    T.Object({
      action: T.Enum(['opened', 'enforced', 'evidence', 'kept', 'released', 'escalated']),
      resolution: orNull(T.Enum([...resolutions], { description: 'The entry for a refund at the payment provider that the release made' })),
      amount_cents: orNull(centsField('How much of it')),
      reason: orNull(T.String()),
      by: T.String(),
      by_name: T.String(),
      at: T.String(),
    }),
  ),
});

type Names = {
  readonly stores: ReadonlyMap<Id<'store'>, { readonly name: string }>;
  readonly creators: ReadonlyMap<Id<'crt'>, string>;
};

async function namesFor(db: Queryable, cases: readonly RiskCase[]): Promise<Names> {
  const storeIds = [...new Set(cases.flatMap(({ storeId }) => storeId ?? []))];
  const creatorIds = [...new Set(cases.flatMap(({ creatorId }) => creatorId ?? []))];
  return { stores: await storesById(db, storeIds), creators: await creatorNames(db, creatorIds) };
}

const showCase = (riskCase: RiskCase, { stores, creators }: Names) => ({
  id: publicId('case', riskCase.caseId),
  rule: riskCase.rule,
  sentence: ruleSentences[riskCase.rule],
  state: riskCase.state,
  enforced: riskCase.isEnforced,
  store_id: riskCase.storeId && publicId('store', riskCase.storeId),
  store_name: riskCase.storeId && (stores.get(riskCase.storeId)?.name ?? null),
  creator_id: riskCase.creatorId && publicId('crt', riskCase.creatorId),
  creator_name: riskCase.creatorId && (creators.get(riskCase.creatorId) ?? null),
  invoice_id: riskCase.invoiceId && publicId('inv', riskCase.invoiceId),
  charge_id: riskCase.chargeId && publicId('chg', riskCase.chargeId),
  evidence: [...riskCase.evidence],
  opened_at: isoTime(riskCase.openedAt),
  closed_at: isoTimeOrNull(riskCase.closedAt),
});

export const listRiskCases = sortedListEndpoint({
  summary: 'List the risk cases, newest first',
  access,
  query: T.Object(
    {
      ...pageFields,
      state: T.Optional(T.Enum([...caseStates])),
      rule: T.Optional(T.Enum([...riskRules])),
      store_id: T.Optional(idField()),
      creator_id: T.Optional(idField()),
      ...sortField(caseSorts),
    },
    { additionalProperties: false },
  ),
  item: namedObject('RiskCase', caseFields),
  readFilter({ query: { state = null, rule = null, store_id: store, creator_id: creator } }): CaseFilter | 'no_match' {
    const storeId = store === undefined ? null : readPublicId('store', store);
    const creatorId = creator === undefined ? null : readPublicId('crt', creator);
    const isNone = (store !== undefined && storeId === null) || (creator !== undefined && creatorId === null);
    return isNone ? 'no_match' : { state, rule, storeId, creatorId };
  },
  rows: async ({ db, filter }, page) => (filter === 'no_match' ? [] : listCases(db, filter, page)),
  async renderer({ db }, cases) {
    const names = await namesFor(db, cases);
    return (riskCase) => showCase(riskCase, names);
  },
  sorts: caseSorts,
});

const creatorsShownMax = 50;
const historyShownMax = 200;

export const getRiskCase = endpoint({
  summary: 'Get a risk case with its evidence, amounts, and history',
  access,
  ids,
  reply: caseJson,
  handle: async ({ db, ids: { case: caseId } }) => presentCase(db, caseId),
});

export async function presentCase(db: Queryable, caseId: Id<'case'>): Promise<Static<typeof caseJson> | Refusal> {
  const riskCase = await findCase(db, caseId);
  if (riskCase === null) return notFound;
  const { storeId, invoiceId } = riskCase;
  const creators = storeId !== null && invoiceId !== null ? await listExposedCreators(db, { storeId, invoiceId }, creatorsShownMax) : [];
  const names = await creatorNames(
    db,
    creators.map(({ creatorId }) => creatorId),
  );
  const affected = await affectedOf(db, riskCase);
  return {
    ...showCase(riskCase, await namesFor(db, [riskCase])),
    affected: {
      ahead_cents: affected.aheadCents,
      collected_cents: affected.collectedCents,
      in_payout_cents: affected.inPayoutCents,
      paid_cents: affected.paidCents,
    },
    creators: creators.map(({ creatorId, paidCents, openCents }) => ({
      creator_id: publicId('crt', creatorId),
      creator_name: names.get(creatorId) ?? '',
      paid_cents: paidCents,
      open_cents: openCents,
    })),
    history: (await listCaseEvents(db, caseId, historyShownMax)).map(({ action, reason, byActor, byName, details, at }) => ({
      action,
      ...showResolution(details),
      reason,
      by: byActor,
      by_name: byName,
      at: isoTime(at),
    })),
  };
}

const showResolution = (details: CaseEvent['details']) => ({
  resolution: details.resolution ?? null,
  amount_cents: details.amountCents === undefined ? null : BigInt(details.amountCents),
});

async function affectedOf(db: Queryable, { storeId, creatorId, invoiceId }: RiskCase): Promise<Affected> {
  if (storeId !== null) return sumAffectedMoney(db, { storeIds: [storeId], creatorId, invoiceId });
  invariant(creatorId, 'a case is about a store or a creator');
  return sumAffectedMoney(db, { storeIds: await listStoresOfCreator(db, creatorId), creatorId, invoiceId });
}

const reasonField = T.String({
  minLength: reasonLength.least,
  maxLength: reasonLength.most,
  pattern: String.raw`^(?=.*\S)[^\p{Cc}\p{Cs}]+$`,
  description: 'Kept in the history of the case and in the audit log',
});
export const reasonBody = T.Object({ reason: reasonField }, { additionalProperties: false });

type CaseReader = {
  readonly db: Queryable;
  readonly ids: { readonly case: Id<'case'> };
};
type Locked = { readonly tx: Transaction; readonly riskCase: RiskCase };

export const isClosed = refuse('conflict', apiMessage('risk_api.case_released_read_see_its'));

async function lockedCase({ db, ids: { case: caseId } }: CaseReader): Promise<Locked | Refusal> {
  invariant(isTransaction(db), 'a change must run in a transaction');
  const riskCase = await lockCase(db, caseId);
  if (riskCase === null) return notFound;
  return riskCase.state === 'released' ? isClosed : { tx: db, riskCase };
}

export const keepRiskCase = endpoint({
  summary: 'Keep the hold of a risk case, with a reason',
  access,
  liveKeys: 'refused',
  ids,
  body: reasonBody,
  reply: caseJson,
  audit: 'risk_case.kept',
  async handle({ body, now, identity, ...reader }) {
    const found = await lockedCase(reader);
    if (isRefusal(found)) return found;
    const { tx, riskCase } = found;
    const by = { byActor: identity.actor, byName: identity.name };
    await insertCaseEvent(tx, riskCase.caseId, { eventId: newId(now), action: 'kept', reason: body.reason, ...by, details: {}, at: now });
    return presentCase(tx, riskCase.caseId);
  },
});

export const releaseRiskCase = endpoint({
  summary: 'Release the hold of a risk case; the amounts are payable again, unless another case holds them',
  access,
  proof: true,
  ids,
  body: reasonBody,
  reply: caseJson,
  audit: 'risk_case.released',
  async handle({ body, now, identity, ...reader }) {
    const found = await lockedCase(reader);
    if (isRefusal(found)) return found;
    const { tx, riskCase } = found;
    const own = await releaserRefusal(tx, { platform: reader.platform, identity }, riskCase);
    if (own !== null) return own;
    await releaseLocked(tx, riskCase, { reason: body.reason, byActor: identity.actor, byName: identity.name, at: now });
    return presentCase(tx, riskCase.caseId);
  },
  async afterCommit({ platform, ids: { case: caseId } }) {
    await applyPairHolds(platform);
    return presentCase(platform.database, caseId);
  },
});

export const escalateRiskCase = endpoint({
  summary: 'Keep the hold of a risk case, and suspend the creator, archive the store, or disable its integration',
  access,
  proof: true,
  ids,
  body: T.Object({ reason: reasonField, do: T.Enum([...escalations]) }, { additionalProperties: false }),
  reply: caseJson,
  audit: 'risk_case.escalated',
  async handle({ body, now, identity, request, ...reader }) {
    const found = await lockedCase(reader);
    if (isRefusal(found)) return found;
    const { tx, riskCase } = found;
    const refusal = decideEscalation(body.do, riskCase);
    if (refusal !== null) return refuse('unprocessable', refusal, [{ field: 'do', message: apiMessage('risk_api.not_possible_for_case') }]);
    await escalate({ tx, platform: reader.platform, identity, request, now, reason: body.reason }, riskCase, body.do);
    if (riskCase.state === 'open') await closeCase(tx, riskCase.caseId, 'escalated', now);
    await insertCaseEvent(tx, riskCase.caseId, {
      eventId: newId(now),
      action: 'escalated',
      reason: body.reason,
      byActor: identity.actor,
      byName: identity.name,
      details: { do: body.do },
      at: now,
    });
    return presentCase(tx, riskCase.caseId);
  },
  async afterCommit({ platform }, escalated) {
    await copySuspensionsSoon(platform);
    return escalated;
  },
});

type Escalating = {
  readonly tx: Transaction;
  readonly platform: Platform;
  readonly identity: Identity;
  readonly request: RequestFacts;
  readonly now: Date;
  readonly reason: string;
};

/** Calls the existing operations, each with its own audit entry. */
async function escalate(requester: Escalating, { storeId, creatorId, caseId }: RiskCase, what: Escalation): Promise<void> {
  const { tx, now } = requester;
  switch (what) {
    case 'suspend_creator':
      invariant(creatorId, 'a case that is escalated against a creator names them');
      // The creator is emailed without a reason, because the note is for operators only.
      await suspendCreator(tx, requester.platform, { creatorId, reason: null, note: requester.reason, by: requester.identity, at: now });
      return audit(requester, { action: 'creator.suspend', caseId, storeId: null, creatorId });
    case 'archive_store':
      invariant(storeId, 'a case that is escalated against a store names it');
      await archiveStore(tx, { storeId, at: now });
      return audit(requester, { action: 'store.archive', caseId, storeId, creatorId: null });
    case 'disable_integration':
      invariant(storeId, 'a case that is escalated against a store names it');
      await setIntegrationDisabled(tx, { storeId, at: now });
      return audit(requester, { action: 'integration.disable', caseId, storeId, creatorId: null });
    default:
      return never(what);
  }
}

type Done = {
  readonly action: AuditAction;
  readonly caseId: Id<'case'>;
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
};

const audit = ({ tx, platform, identity, request, now }: Escalating, { action, caseId, storeId, creatorId }: Done): Promise<void> =>
  recordAuditEntry(tx, {
    at: now,
    actor: identity.actor,
    actorName: identity.name,
    storeId,
    creatorId,
    action,
    subject: publicId('case', caseId),
    details: { risk_case: publicId('case', caseId) },
    requestId: request.id,
    addressHash: hashAddress(platform.secrets, request.address),
  });

const reserveJson = namedObject('Reserve', {
  store_id: T.String(),
  state: T.Enum(['over', 'running', 'not_started']),
  until: orNull(T.String({ description: 'When it ends; null if unknown or already over' })),
});

async function presentReserve(platform: Platform, db: Queryable, storeId: Id<'store'>): Promise<Static<typeof reserveJson>> {
  const reserve = await findReserve(db, storeId, { mode: platform.config.mode, now: platform.clock.now() });
  return {
    store_id: publicId('store', storeId),
    state: reserve.is,
    until: reserve.is === 'running' ? isoTimeOrNull(reserve.at) : null,
  };
}

export const getReserve = endpoint({
  summary: 'Get the reserve period of a store: how long its first payments are held',
  access: { allow: 'store', permission: 'store:read' },
  reply: reserveJson,
  handle: ({ platform, db, ids: { store } }) => presentReserve(platform, db, store),
});

export const releaseReserveEndpoint = endpoint({
  summary: "End a store's reserve period early",
  access,
  proof: true,
  ids: { store: 'store' },
  body: reasonBody,
  reply: reserveJson,
  audit: 'reserve.released',
  async handle({ platform, db, identity, body: { reason }, ids: { store: storeId }, now }) {
    invariant(isTransaction(db), 'a change must run in a transaction');
    const store = await findStore(db, storeId);
    if (store === null) return notFound;
    const own = await releaserRefusal(db, { platform, identity }, { storeId, creatorId: null });
    if (own !== null) return own;
    await releaseReserve(db, storeId, now);
    const url = `${platform.config.baseUrl}/operator/risk`;
    await emailOperators(db, platform, reserveReleasedEmail({ storeName: store.name, byName: identity.name, reason, url }));
    return presentReserve(platform, db, storeId);
  },
});
