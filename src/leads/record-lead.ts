import { rowLocked, Superseded, type Attempt } from '../batch/attempts.ts';
import { resolveClicks, type ResolvedClick } from '../clicks/resolve-clicks.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import { lockCommissions, openCommissions, reverseCommissions } from '../commissions/commissions-sql.ts';
import { openedRollups, reversedRollups } from '../commissions/rollups.ts';
import { contentHash, isSameContent, type Content, type FieldList } from '../contract/content-hash.ts';
import type { Postback } from '../contract/postback-endpoint.ts';
import type { ExplainedOutcome, Outcome } from '../contract/reply.ts';
import { newId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { insertRefusedOrders, isVisibleToCreator, type RefusedOrder } from '../creators/refused-orders-sql.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import type { Database, Transaction } from '../db/database.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { loadTermsOfCreators } from '../commissions/terms-of-creators.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
import { outcompetedWhy, type Partners } from '../orders/decide-attribution.ts';
import type { TestClick } from '../orders/decide-conversion.ts';
import { loadPartners, namesPartners, noPartnerFacts, type PartnerFacts } from '../orders/load-partners.ts';
import { insertBindings } from '../orders/partners-sql.ts';
import { rejectedCodeOwners } from '../orders/rejected-code-owners.ts';
import { addLinkRollups } from '../rollups/rollups-sql.ts';
import { logEntryOf } from '../tracking/log-entry.ts';
import { insertLogEntries } from '../tracking/log-sql.ts';
import { decideLead, leadOutcome, monthOf, type LeadClick, type LeadDecision, type LeadFacts, type NewLead } from './decide-lead.ts';
import { decideLeadReversal, leadReversalOutcome, type LeadReversalDecision } from './decide-lead-reversal.ts';
import { leadLists, leadReversalLists, type LeadReport, type LeadReversalReport } from './lead-report.ts';
import {
  blockUnknownLead,
  countPaidLeads,
  findLead,
  findLeadReversal,
  insertEarlyLeadReversal,
  insertLead,
  insertLeadReversal,
  isReversedEarly,
  lockLeadsOfMember,
  type LeadKey,
} from './leads-sql.ts';

type PostbackOfLead = LeadKey & { readonly postback: Postback<Integration> };
type LeadItem = PostbackOfLead & { readonly is: 'lead'; readonly report: LeadReport };
type LeadReversalItem = PostbackOfLead & { readonly is: 'lead_reversal'; readonly report: LeadReversalReport };
/** A report in the batch. */
export type Item = LeadItem | LeadReversalItem;

export type RecordingContext = { readonly database: Database; readonly ring: KeyRing; readonly now: () => Date };

/** Loads facts, decides, writes, commits, and returns the outcome, in one transaction. */
export async function recordLead(
  { database, ring, now: readClock }: RecordingContext,
  item: Item,
  attempt: Attempt,
): Promise<Outcome | typeof rowLocked> {
  return database.transaction(async (tx) => {
    const now = readClock();
    const context = { ring, now, lockWaitMs: attempt.lockWaitMs };
    const explained = item.is === 'lead' ? await recordReport(tx, context, item) : await recordReversal(tx, context, item);
    if (explained === null) return rowLocked;
    const entry = logEntryOf(item.postback, { ...explained, subject: item.report.leadId, isTest: false, at: now });
    await insertLogEntries(tx, [entry]);
    return { ...explained.outcome, isLogged: true };
  }, attempt.commitSent);
}

type LoadContext = { readonly ring: KeyRing; readonly now: Date; readonly lockWaitMs: number };

/** The dry run of the linter. Writes nothing. Null if a row is locked. */
export async function dryRunLead(tx: Transaction, context: LoadContext, item: Item): Promise<ExplainedOutcome | null> {
  if (item.is === 'lead') {
    const loaded = await loadAndDecide(tx, context, item);
    return loaded && leadOutcome(loaded.decision);
  }
  const decision = await loadAndDecideReversal(tx, context, item);
  return decision && leadReversalOutcome(decision);
}

/** Null: another lead of the creator is being counted. */
async function recordReport(tx: Transaction, context: LoadContext, item: LeadItem): Promise<ExplainedOutcome | null> {
  const loaded = await loadAndDecide(tx, context, item);
  if (loaded === null) return null;
  const { decision, click, partners, beside } = loaded;
  const shown = creatorsWithoutCommission(item, { decision, click, now: context.now });
  const earns = decision.do === 'record' ? decision.lead.attribution.credited.creatorId : null;
  const informed = [earns, ...shown.map(({ creatorId }) => creatorId)];
  const owners = rejectedCodeOwners({ partners: beside, why: decision.why, informed });
  const of = { storeId: item.storeId, operation: 'lead', subjectHash: item.leadHash, at: context.now } as const;
  await insertRefusedOrders(tx, [...shown, ...owners.map((owner) => ({ ...owner, ...of }))]);
  if (decision.do === 'record') await writeLead(tx, item, { decision, partners });
  return leadOutcome(decision);
}

type Loaded = {
  readonly decision: LeadDecision;
  readonly click: LeadClick | TestClick | null;
  readonly partners: PartnerFacts;
  /** What the lead itself names besides its click. */
  readonly beside: Partners | null;
};

/**
 * Decides a second time if the terms limit the leads of a month, because only the first decision says whose leads to count. Null: another
 * transaction is counting them.
 */
async function loadAndDecide(tx: Transaction, context: LoadContext, item: LeadItem): Promise<Loaded | null> {
  const { facts, partners } = await loadFacts(tx, context, item);
  const { click, partners: beside } = facts;
  const decision = decideLead(item.report, facts);
  if (decision.do !== 'record' || decision.lead.perMonthMax === null) return { decision, click, partners, beside };
  const { programId, creatorId } = decision.lead.attribution.credited;
  const counted = {
    storeId: item.storeId,
    programId,
    creatorId,
    kind: item.report.kind,
    month: monthOf(decision.lead.occurredAt),
  };
  if (!(await lockLeadsOfMember(tx, counted, context.lockWaitMs))) return null;
  const paidInMonth = await countPaidLeads(tx, counted);
  return { decision: decideLead(item.report, { ...facts, paidInMonth }), click, partners, beside };
}

type LoadedFacts = { readonly facts: LeadFacts; readonly partners: PartnerFacts };

async function loadFacts(tx: Transaction, { ring, now }: LoadContext, item: LeadItem): Promise<LoadedFacts> {
  const { report, storeId, leadHash } = item;
  const key = { storeId, leadHash };
  const [resolved = null] = await resolveClicks(tx, ring, [{ storeId, text: report.clickId }]);
  const owners = resolved?.kind === 'referral' ? [resolved] : [];
  const named = { ...report, isTest: false, discountCodes: null };
  const [termsOf, suspended, stores] = await Promise.all([
    loadTermsOfCreators(tx, owners, [report.occurredAt]),
    listSuspendedCreators(tx, owners),
    storesBeyondClicks(tx, namesPartners(named) ? [{ storeId }] : []),
  ]);
  const order = { storeId, report: named };
  const partners = stores.size === 0 ? noPartnerFacts : await loadPartners(tx, [order], { stores, terms: termsOf, suspended });
  const stored = await findLead(tx, key);
  const clickFacts = (click: ResolvedClick | null): LeadClick | TestClick | null =>
    click === null || click.kind === 'test'
      ? click
      : { ...click, isCreatorSuspended: suspended.has(click.creatorId), terms: termsOf(click, report.occurredAt, click.at) ?? null };
  const facts: LeadFacts = {
    now,
    storeId,
    earlier: stored && { ...stored, isSame: isSameContent(stored.contentHash, leadLists, report.content) },
    click: clickFacts(resolved),
    wasReversedEarly: await isReversedEarly(tx, key),
    partners: partners.of(order),
    paidInMonth: 0,
    fresh: { leadId: newId<'lead'>(now), commissionId: newId<'com'>(now) },
  };
  return { facts, partners };
}

type Decided = { readonly decision: LeadDecision; readonly click: LeadClick | TestClick | null; readonly now: Date };

/** The creator of the click of a refused lead, or of a lead that another creator's code or customer took. */
function creatorsWithoutCommission(
  { storeId, leadHash: subjectHash }: LeadItem,
  { decision, click, now }: Decided,
): readonly RefusedOrder[] {
  if (decision.do === 'repeat') return [];
  if (decision.do === 'refuse') {
    if (click === null || click.kind === 'test' || !isVisibleToCreator(decision.reason)) return [];
    const { creatorId, programId, linkNumber, clickId } = click;
    const { reason, why } = decision;
    return [{ storeId, creatorId, programId, linkNumber, clickId, operation: 'lead', subjectHash, reason, why, at: now }];
  }
  const { outcompeted: other, why } = decision.lead.attribution;
  if (other === null || why === null) return [];
  const { creatorId, programId, linkNumber, click: theirs } = other;
  const shown = { ...outcompetedWhy(why), occurred_at: decision.lead.occurredAt.toISOString() };
  const of = { storeId, creatorId, programId, linkNumber, clickId: theirs?.clickId ?? null, operation: 'lead', subjectHash } as const;
  return [{ ...of, reason: 'another_creator', why: shown, at: now }];
}

type Writing = { readonly decision: Extract<LeadDecision, { readonly do: 'record' }>; readonly partners: PartnerFacts };

/** Writes in the global lock order: leads, bindings, commissions, rows that cannot conflict, rollups. */
async function writeLead(tx: Transaction, { storeId, leadHash, report }: LeadItem, { decision, partners }: Writing): Promise<void> {
  const { lead, commission, postings } = decision;
  const key = { storeId, leadHash };
  requireNew(await insertLead(tx, key, lead, contentHash(newestOf(leadLists), report.content)));
  // One may have committed since the facts were loaded.
  requireNew((await isReversedEarly(tx, key)) === (commission.held?.reason === 'early_reversal'));
  const bindings = bindingRows(lead, key, partners);
  if (bindings.length > 0) requireNew((await insertBindings(tx, bindings)) === bindings.length);
  await Promise.all([openCommissions(tx, [commission]), postStoreTransfers(tx, postings), addLinkRollups(tx, openedRollups([commission]))]);
}

function bindingRows(lead: NewLead, { storeId, leadHash }: LeadKey, partners: PartnerFacts) {
  const { attribution, binding, occurredAt, recordedAt } = lead;
  const report = { ...lead.report, isTest: false, discountCodes: null };
  return partners.add({ attribution, binding, occurredAt, recordedAt, report }, { storeId, orderHash: leadHash }).bindings;
}

/** False: another process was first. The transaction rolls back and decides again. */
function requireNew(isNew: boolean): void {
  if (!isNew) throw new Superseded('another process recorded one of these first');
}

function newestOf(lists: readonly FieldList[]): FieldList {
  const newest = lists.at(-1);
  invariant(newest, 'every operation has a list of its fields');
  return newest;
}

/** Null: another transaction has locked the commission. */
async function recordReversal(tx: Transaction, context: LoadContext, item: LeadReversalItem): Promise<ExplainedOutcome | null> {
  const decision = await loadAndDecideReversal(tx, context, item);
  if (decision === null) return null;
  const { storeId, leadHash } = item;
  const key = { storeId, leadHash };
  const { now } = context;
  if (decision.do === 'remember') {
    requireNew(await blockUnknownLead(tx, key, now));
    await insertEarlyLeadReversal(tx, key, now);
  }
  if (decision.do === 'reverse') await writeReversal(tx, key, { decision, content: item.report.content });
  return leadReversalOutcome(decision);
}

type Reversing = { readonly decision: Extract<LeadReversalDecision, { readonly do: 'reverse' }>; readonly content: Content };

async function writeReversal(tx: Transaction, key: LeadKey, { decision, content }: Reversing): Promise<void> {
  const { reversal, postings } = decision;
  requireNew(await insertLeadReversal(tx, key, reversal, contentHash(newestOf(leadReversalLists), content)));
  const { lead, receivedAt, report } = reversal;
  const ended = await reverseCommissions(tx, [
    { storeId: key.storeId, commissionId: lead.commissionId, at: receivedAt, reason: report.reason },
  ]);
  await Promise.all([postStoreTransfers(tx, postings), addLinkRollups(tx, reversedRollups(ended))]);
}

/** Locks the commission first and reads the reversal in a later statement, because the snapshot of one statement would be older. */
async function loadAndDecideReversal(
  tx: Transaction,
  { now, lockWaitMs }: LoadContext,
  { storeId, leadHash, report }: LeadReversalItem,
): Promise<LeadReversalDecision | null> {
  const key = { storeId, leadHash };
  const lead = await findLead(tx, key);
  const locked = lead && (await lockCommissions(tx, [{ storeId, commissionId: lead.commissionId }], lockWaitMs))[0];
  if (lead !== null && !locked) return null;
  const stored = await findLeadReversal(tx, key);
  return decideLeadReversal(report, {
    now,
    storeId,
    earlier: stored && {
      receivedAt: stored.receivedAt,
      isSame: isSameContent(stored.contentHash, leadReversalLists, report.content),
    },
    lead: lead && locked ? { ...lead, ...commissionFacts(locked) } : null,
    fresh: { reversalId: newId<'rev'>(now) },
  });
}

type Locked = Awaited<ReturnType<typeof lockCommissions>>[number];
const commissionFacts = ({ creatorId, state, heldReason, amountCents }: Locked) => ({
  creatorId,
  state,
  held: heldReason,
  amount: amountCents,
});
