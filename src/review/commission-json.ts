import { hash } from 'node:crypto';
import { Type as T, type Static } from 'typebox';
import { bonusesOfCommissions, type Bonus } from '../bonuses/bonuses-sql.ts';
import { holdReasons, type SourceKind } from '../commissions/commission.ts';
import { commissionStates } from '../commissions/commission-states.ts';
import type { ListedCommission } from '../commissions/list-commissions-sql.ts';
import { listWithheld } from '../commissions/payout-sql.ts';
import { explain, holdSentence } from '../contract/explain.ts';
import { money, type Reader } from '../contract/explain-text.ts';
import type { AttributionWhy, Why } from '../contract/why.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { orderDetails, type OrderDetails } from '../orders/orders-sql.ts';
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
  amount_cents: centsField('What the commission is worth after partial refunds'),
  eligible_cents: centsField('As recorded, before refunds'),
  refunded_cents: centsField('What partial refunds took of the eligible amount'),
  clicked_at: orNull(T.String({ description: 'The click of the order; null for an invoice' })),
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
  attributed_by: orNull(T.Enum(['click', 'code', 'customer'], { description: 'What earned the order; null for an invoice' })),
  credited_code: orNull(T.String({ description: 'The discount code that earned the order' })),
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
  const hashes = commissions.flatMap((commission) => (commission.sourceKind === 'order' ? [orderHashOf(commission)] : []));
  const orders = new Map((await orderDetails(db, storeId, hashes)).map((order) => [order.orderHash.toString('latin1'), order]));
  const names = await creatorNames(db, [...new Set(commissions.map(({ creatorId }) => creatorId))]);
  const keptBack = await listWithheld(
    db,
    storeId,
    commissions.map(({ commissionId }) => commissionId),
  );
  const bonuses = await bonusesOfCommissions(db, { storeId, commissionIds: ofKind(commissions, 'bonus') });
  return (commission) => {
    const order = commission.sourceKind === 'order' ? (orders.get(orderHashOf(commission).toString('latin1')) ?? null) : null;
    const creatorName = names.get(commission.creatorId);
    invariant(creatorName !== undefined, 'creators are never deleted');
    const bonus = bonuses.get(commission.commissionId) ?? null;
    return showCommission(commission, { order, bonus, creatorName, isKeptBack: keptBack.has(commission.commissionId) });
  };
}

export const ofKind = (commissions: readonly ListedCommission[], kind: SourceKind): ReadonlyArray<Id<'com'>> =>
  commissions.filter(({ sourceKind }) => sourceKind === kind).map(({ commissionId }) => commissionId);

export const orderHashOf = ({ sourceText, sourceHash }: ListedCommission): Buffer => sourceHash ?? hash('sha256', sourceText, 'buffer');

type RelatedRows = {
  readonly order: OrderDetails | null;
  readonly bonus: Bonus | null;
  readonly creatorName: string;
  readonly isKeptBack: boolean;
};

function showCommission(commission: ListedCommission, { order, bonus, creatorName, isKeptBack }: RelatedRows): CommissionJson {
  const { sourceKind, sourceText } = commission;
  const attribution = order?.attribution ?? null;
  const clickedAt = isoTimeOrNull(order && order.clickId && timeOfId(order.clickId));
  const explaining = { clickedAt, attribution: withName(attribution, creatorName), bonus, reader: 'merchant' } as const;
  return {
    id: publicId('com', commission.commissionId),
    state: commission.state,
    held: showHold(commission),
    program_id: publicId('prog', commission.programId),
    creator_id: publicId('crt', commission.creatorId),
    creator_name: creatorName,
    order_id: sourceKind === 'order' ? sourceText : null,
    invoice_id: sourceKind === 'invoice' ? sourceText : null,
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
    explanation: `${explainCommission(commission, explaining)}${isKeptBack ? ' Its payout is under review by the platform.' : ''}`,
    order_name: order?.orderName ?? null,
    customer_id: order?.customerId ?? null,
    discount_code: order?.discountCode ?? null,
    discount_codes: order === null || order.discountCodes === null ? [] : JSON.parse(order.discountCodes),
    attributed_by: order && (attribution?.attributed_by ?? 'click'),
    credited_code: (attribution?.attributed_by === 'code' && attribution.discount_code) || null,
    metadata: order === null || order.metadata === null ? null : JSON.parse(order.metadata),
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

type ExplainOptions = {
  readonly clickedAt: string | null;
  readonly attribution: AttributionWhy | null;
  readonly bonus: Bonus | null;
  readonly reader: Reader;
};

/** The explanation names the creator instead of the ID. */
const withName = (attribution: AttributionWhy | null, creatorName: string): AttributionWhy | null =>
  attribution && { ...attribution, attributed_to: creatorName };

/** Explains the recorded order from the terms that the commission copied, followed by its refunds, a reversal, or a rejection. */
export function explainCommission(commission: ListedCommission, { clickedAt, attribution, bonus, reader }: ExplainOptions): string {
  if (bonus !== null) return explainBonus(commission, bonus, reader);
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
    ...attribution,
  };
  const [opening, refund, reversal] =
    commission.sourceKind === 'order'
      ? (['conversion', 'order_refund', 'reversal'] as const)
      : (['billing_event', 'invoice_refund', 'invoice_reversal'] as const);
  const left: Why = {
    ...why,
    earned: commission.earnedAfterRefunds ?? commission.earned,
    refund_cents: amountToJson(commission.refundedCents),
    remaining_cents: amountToJson(cents(commission.eligibleCents - commission.refundedCents)),
    commission_before_cents: amountToJson(cents(before)),
    commission_cents: amountToJson(commission.amountCents),
  };
  const refunded = commission.refundedCents === 0n ? '' : ` ${explain({ operation: refund, reason: 'recorded', why: left }, reader)}`;
  const earned = `${explain({ operation: opening, reason: 'recorded', why }, reader)}${refunded}`;
  if (commission.state === 'reversed') return `${earned} ${explain({ operation: reversal, reason: 'recorded', why: left }, reader)}`;
  return commission.state === 'rejected' ? apiMessage('commission_json.rejected_and_earns_nothing', { earned }) : earned;
}

/** The person who added it is the store's own matter. */
function explainBonus(commission: ListedCommission, { amountCents, reason, orderId, addedByName }: Bonus, reader: Reader): string {
  const facts = { amount: money(amountToJson(amountCents)), reason: reason.replace(/[.\s]+$/, '') };
  const opening =
    reader === 'merchant' ? apiMessage('bonus.added_by', { name: addedByName, ...facts }) : apiMessage('bonus.added_by_store', facts);
  const order = orderId === null ? '' : ` ${apiMessage('bonus.about_order', { order: orderId })}`;
  const text = `${opening}${order}`;
  if (commission.state === 'reversed') return `${text} ${apiMessage('commission_json.bonus_credited')}`;
  if (commission.state === 'rejected') return apiMessage('commission_json.rejected_and_earns_nothing', { earned: text });
  return `${text} ${holdSentence({ hold_until: isoTime(commission.holdUntil), held: commission.heldReason })}`;
}
