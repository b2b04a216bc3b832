import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { bonusReason } from '../bonuses/bonus-reason.ts';
import { bonusesOfCommissions, type Bonus } from '../bonuses/bonuses-sql.ts';
import { holdReasons, type SourceKind } from '../commissions/commission.ts';
import { commissionStates } from '../commissions/commission-states.ts';
import type { ListedCommission } from '../commissions/list-commissions-sql.ts';
import { listWithheld } from '../commissions/payout-sql.ts';
import { explain, holdSentence } from '../contract/explain.ts';
import { speechToMerchants, type Speech } from '../contract/speech.ts';
import type { Operation } from '../contract/reasons.ts';
import type { AttributionWhy, Why } from '../contract/why.ts';
import { sha256 } from '../core/sha256.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { leadDetails, type LeadDetails } from '../leads/leads-sql.ts';
import {
  attributedBy,
  attributionJson,
  comparedCreator,
  nameIn,
  showAttribution,
  withNames,
  type Names,
} from '../orders/attribution-json.ts';
import { orderDetails, readDiscountCodes, type OrderDetails } from '../orders/orders-sql.ts';
import type { Queryable } from '../db/database.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { publicId, timeOfId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { amountToJson, cents } from '../core/money.ts';
import { apiMessage } from '../messages/api-message.ts';

export const commissionJson = namedObject('Commission', {
  id: T.String(),
  state: T.Enum(commissionStates, { title: 'CommissionState' }),
  held: orNull(T.Object({ reason: T.Enum(holdReasons, { title: 'HoldReason' }), by: T.String(), since: T.String() })),
  program_id: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  order_id: orNull(T.String()),
  invoice_id: orNull(T.String()),
  lead_id: orNull(T.String()),
  lead_kind: orNull(T.String({ description: 'Of a lead, as reported' })),
  amount_cents: centsField('What the commission is worth after partial refunds'),
  eligible_cents: centsField('As recorded, before refunds'),
  refunded_cents: centsField('What partial refunds took of the eligible amount'),
  clicked_at: orNull(T.String({ description: 'The click of the order or lead; null for an invoice' })),
  occurred_at: T.String(),
  recorded_at: T.String(),
  hold_until: T.String(),
  auto_approve_at: orNull(T.String({ description: 'The earliest time of its automatic approval; the job runs every hour' })),
  approved_at: orNull(T.String()),
  rejected_at: orNull(T.String()),
  reversed_at: orNull(T.String()),
  terms_version: T.Integer(),
  explanation: T.String({ description: 'The explanation of its state and amount, with the compared values' }),
  order_name: orNull(T.String()),
  customer_id: orNull(T.String()),
  discount_code: orNull(T.String()),
  discount_codes: T.Array(T.String()),
  attributed_by: orNull(attributedBy),
  credited_code: orNull(T.String({ description: 'The discount code that earned the order or lead' })),
  attribution: orNull(attributionJson),
  metadata: orNull(T.Object({}, { additionalProperties: true })),
  rejected_reason: orNull(T.String()),
  rejected_note: orNull(T.String()),
  reversal_reason: orNull(T.String()),
  bonus: orNull(
    T.Object(
      { id: T.String(), reason: T.String(), order_id: orNull(T.String()), added_by_name: T.String() },
      { description: 'Only of a commission that was added without an order' },
    ),
  ),
});
export type CommissionJson = Static<typeof commissionJson>;

/** Loads the related rows of a page of commissions in one query for each table. */
export async function loadCommissionRenderer(
  db: Queryable,
  storeId: Id<'store'>,
  commissions: readonly ListedCommission[],
): Promise<(commission: ListedCommission) => CommissionJson> {
  const details = await loadDetails(db, storeId, commissions);
  const compared = commissions.flatMap((commission) => {
    const { order, lead } = details(commission);
    return comparedCreator((order ?? lead)?.attribution ?? null) ?? [];
  });
  const names = await creatorNames(db, [...new Set([...commissions.map(({ creatorId }) => creatorId), ...compared])]);
  const keptBack = await listWithheld(
    db,
    storeId,
    commissions.map(({ commissionId }) => commissionId),
  );
  return (commission) => {
    const creatorName = names.get(commission.creatorId);
    invariant(creatorName !== undefined, 'creators are never deleted');
    const isKeptBack = keptBack.has(commission.commissionId);
    return showCommission(commission, { ...details(commission), creatorName, names, isKeptBack });
  };
}

const hashOf = ({ sourceText, sourceHash }: ListedCommission): Buffer => sourceHash ?? sha256(sourceText);

/** The order, the lead, or the bonus behind a commission; all null for an invoice. */
export type SourceDetails = { readonly order: OrderDetails | null; readonly lead: LeadDetails | null; readonly bonus: Bonus | null };

/** One query for the orders of a page, one for its leads, and one for its bonuses. */
export async function loadDetails(
  db: Queryable,
  storeId: Id<'store'>,
  commissions: readonly ListedCommission[],
): Promise<(commission: ListedCommission) => SourceDetails> {
  const hashesOf = (kind: SourceKind) => commissions.filter(({ sourceKind }) => sourceKind === kind).map(hashOf);
  const [ofOrders, ofLeads] = [hashesOf('order'), hashesOf('lead')];
  const orders = new Map((await orderDetails(db, storeId, ofOrders)).map((order) => [order.orderHash.toString('latin1'), order]));
  const found = ofLeads.length === 0 ? [] : await leadDetails(db, storeId, ofLeads);
  const leads = new Map(found.map((lead) => [lead.leadHash.toString('latin1'), lead]));
  const commissionIds = commissions.filter(({ sourceKind }) => sourceKind === 'bonus').map(({ commissionId }) => commissionId);
  const bonuses = await bonusesOfCommissions(db, { storeId, commissionIds });
  return (commission) => {
    const key = hashOf(commission).toString('latin1');
    const { sourceKind } = commission;
    return {
      order: sourceKind === 'order' ? (orders.get(key) ?? null) : null,
      lead: sourceKind === 'lead' ? (leads.get(key) ?? null) : null,
      bonus: bonuses.get(commission.commissionId) ?? null,
    };
  };
}

type RelatedRows = SourceDetails & { readonly creatorName: string; readonly names: Names; readonly isKeptBack: boolean };

function showCommission(commission: ListedCommission, { order, lead, bonus, creatorName, names, isKeptBack }: RelatedRows): CommissionJson {
  const { say, paragraph } = speechToMerchants;
  const { sourceKind, sourceText } = commission;
  const source = order ?? lead;
  const attribution = source?.attribution ?? null;
  const clickedAt = isoTimeOrNull(source && source.clickId && timeOfId(source.clickId));
  const explaining = {
    clickedAt,
    attribution: attribution && withNames(attribution, creatorName, names),
    lead,
    bonus,
  };
  return {
    id: publicId('com', commission.commissionId),
    state: commission.state,
    held: showHold(commission),
    program_id: publicId('prog', commission.programId),
    creator_id: publicId('crt', commission.creatorId),
    creator_name: creatorName,
    order_id: sourceKind === 'order' ? sourceText : null,
    invoice_id: sourceKind === 'invoice' ? sourceText : null,
    lead_id: sourceKind === 'lead' ? sourceText : null,
    lead_kind: lead?.kind ?? null,
    amount_cents: commission.amountCents,
    eligible_cents: commission.eligibleCents,
    refunded_cents: commission.refundedCents,
    clicked_at: clickedAt,
    occurred_at: isoTime(commission.occurredAt),
    recorded_at: isoTime(commission.recordedAt),
    hold_until: isoTime(commission.holdUntil),
    auto_approve_at: isoTimeOrNull(commission.autoApproveAt),
    approved_at: isoTimeOrNull(commission.approvedAt),
    rejected_at: isoTimeOrNull(commission.rejectedAt),
    reversed_at: isoTimeOrNull(commission.reversedAt),
    terms_version: commission.termsVersion,
    explanation: paragraph([
      explainCommission(commission, explaining, speechToMerchants),
      isKeptBack ? say('commission_json.payout_under_review') : null,
    ]),
    order_name: order?.orderName ?? null,
    customer_id: source?.customerId ?? null,
    discount_code: source?.discountCode ?? null,
    discount_codes: readDiscountCodes(order?.discountCodes ?? null),
    attributed_by: source && (attribution?.attributed_by ?? 'click'),
    credited_code: (attribution?.attributed_by === 'code' && attribution.discount_code) || null,
    attribution: attribution && showAttribution(attribution, (id) => nameIn(names, id)),
    metadata: source === null || source.metadata === null ? null : JSON.parse(source.metadata),
    rejected_reason: commission.rejectedReason,
    rejected_note: commission.rejectedNote,
    reversal_reason: commission.reversalReason,
    bonus: bonus && {
      id: publicId('bonus', bonus.bonusId),
      reason: bonus.reason,
      order_id: bonus.orderId,
      added_by_name: bonus.addedByName,
    },
  };
}

type Hold = Pick<ListedCommission, 'heldReason' | 'heldBy' | 'heldSince'>;

export function showHold({ heldReason, heldBy, heldSince }: Hold): CommissionJson['held'] {
  if (heldReason === null) return null;
  invariant(heldBy !== null && heldSince !== null, 'a hold has an author and a time');
  return { reason: heldReason, by: heldBy, since: isoTime(heldSince) };
}

type CommissionFacts = {
  readonly clickedAt: string | null;
  readonly attribution: AttributionWhy | null;
  readonly lead: Pick<LeadDetails, 'kind' | 'exceededLimit'> | null;
  readonly bonus: Bonus | null;
};

/** A bonus has its own explanation. */
const operationsOf = {
  order: ['conversion', 'order_refund', 'reversal'],
  invoice: ['billing_event', 'invoice_refund', 'invoice_reversal'],
  // A lead has no eligible amount that could be refunded.
  lead: ['lead', 'lead_reversal', 'lead_reversal'],
} as const satisfies Readonly<Record<Exclude<SourceKind, 'bonus'>, readonly Operation[]>>;

/** Explains the recorded order or lead from the terms that the commission copied, followed by its refunds, a reversal, or a rejection. */
export function explainCommission(
  commission: ListedCommission,
  { clickedAt, attribution, lead, bonus }: CommissionFacts,
  speech: Speech,
): string {
  if (bonus !== null) return explainBonus(commission, bonus, speech);
  invariant(commission.sourceKind !== 'bonus', 'the commission of a bonus has a bonus');
  const before = commission.amountCents + commission.refundedCommissionCents;
  const why: Why = {
    occurred_at: isoTime(commission.occurredAt),
    attribution_days: commission.attributionDays,
    terms_version: commission.termsVersion,
    commission_cents: amountToJson(cents(before)),
    eligible_cents: amountToJson(cents(commission.eligibleCents)),
    earned: commission.earned,
    hold_until: isoTime(commission.holdUntil),
    ...(commission.heldReason === null ? {} : { held: commission.heldReason }),
    ...(clickedAt === null ? {} : { clicked_at: clickedAt }),
    ...(lead === null ? {} : { lead_kind: lead.kind }),
    ...(lead === null || lead.exceededLimit === null ? {} : { leads_max: lead.exceededLimit }),
    ...attribution,
  };
  const [opening, refund, reversal] = operationsOf[commission.sourceKind];
  const left: Why = {
    ...why,
    earned: commission.earnedAfterRefunds ?? commission.earned,
    refund_cents: amountToJson(commission.refundedCents),
    remaining_cents: amountToJson(cents(commission.eligibleCents - commission.refundedCents)),
    commission_before_cents: amountToJson(cents(before)),
    commission_cents: amountToJson(commission.amountCents),
  };
  const { say, paragraph } = speech;
  return paragraph([
    explain({ operation: opening, reason: 'recorded', why }, speech),
    commission.refundedCents === 0n ? null : explain({ operation: refund, reason: 'recorded', why: left }, speech),
    commission.state === 'reversed' ? explain({ operation: reversal, reason: 'recorded', why: left }, speech) : null,
    commission.state === 'rejected' ? say('commission_json.rejected_and_earns_nothing') : null,
  ]);
}

/** The person who added it is the store's own matter. */
function explainBonus(commission: ListedCommission, bonus: Bonus, speech: Speech): string {
  const { say, paragraph } = speech;
  return paragraph([
    bonusSentence(bonus, speech),
    bonus.orderId === null ? null : say('bonus.about_order', { order: bonus.orderId }),
    bonusEnd(commission, speech),
  ]);
}

function bonusSentence(bonus: Bonus, speech: Speech): string {
  const { reader, say, money } = speech;
  const facts = { amount: money(bonus.amountCents), reason: bonusReason(bonus, speech).replace(/[.。\s]+$/, '') };
  if (bonus.goalVersion !== null) return say('bonus.goal_earned', { ...facts, version: bonus.goalVersion });
  return reader === 'merchant' ? apiMessage('bonus.added_by', { name: bonus.addedByName, ...facts }) : say('bonus.added_by_store', facts);
}

function bonusEnd({ state, holdUntil, heldReason }: ListedCommission, speech: Speech): string {
  if (state === 'reversed') return speech.say('commission_json.bonus_credited');
  if (state === 'rejected') return speech.say('commission_json.rejected_and_earns_nothing');
  return holdSentence({ hold_until: isoTime(holdUntil), ...(heldReason === null ? {} : { held: heldReason }) }, speech);
}
