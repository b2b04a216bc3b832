import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { Speech } from '../contract/speech.ts';
import type { AttributionWhy } from '../contract/why.ts';
import { bonusReason, isGoalLost } from '../bonuses/bonus-reason.ts';
import { holdReasons } from '../commissions/commission.ts';
import { commissionStates } from '../commissions/commission-states.ts';
import type { ListedCommission } from '../commissions/list-commissions-sql.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { publicId, timeOfId, type Id } from '../core/ids.ts';
import { reserveOver } from '../holds/decide-reserve.ts';
import { listReserves } from '../holds/reserves.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import type { Config } from '../core/config.ts';
import type { Queryable } from '../db/database.ts';
import { invariant } from '../core/invariant.ts';
import { explainCommission, loadDetails, type SourceDetails } from '../review/commission-json.ts';
import { decidePayDate, payDateStates, payStepKinds, type PayDate } from './decide-pay-date.ts';
import type { StoreRow } from './paginate-stores.ts';
import { listPaymentProgress, listPayoutEnds, listSubIds, type PaymentProgress } from './sales-sql.ts';

/** A sale as its creator sees it, without the merchant's data about the buyer and the order. */
export const saleJson = namedObject('Sale', {
  id: T.String(),
  state: T.Enum(commissionStates, { title: 'CommissionState' }),
  held: orNull(T.Object({ reason: T.Enum(holdReasons, { title: 'HoldReason' }), since: T.String() })),
  store_id: T.String(),
  store_name: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  order_id: orNull(T.String()),
  invoice_id: orNull(T.String({ description: 'The invoice of a subscription; null for a one-time order' })),
  lead_id: orNull(T.String()),
  lead_kind: orNull(T.String({ description: 'Of a lead, such as sign_up' })),
  sub_id: orNull(T.String({ description: 'The sub-ID that you added to the link as ?sub=' })),
  discount_code: orNull(T.String({ description: 'Your code, if it earned the order or lead' })),
  amount_cents: centsField('What the commission is worth after partial refunds'),
  eligible_cents: centsField('As recorded, before refunds'),
  refunded_cents: centsField('What partial refunds took of the eligible amount'),
  rates: T.Array(
    T.Object({
      product_id: orNull(T.String()),
      of_cents: singleAmountField(),
      quantity: T.Integer(),
      basis_points: orNull(T.Integer()),
      flat_cents: orNull(singleAmountField()),
      amount_cents: singleAmountField(),
    }),
  ),
  terms_version: T.Integer(),
  occurred_at: T.String(),
  recorded_at: T.String(),
  hold_until: T.String(),
  approved_at: orNull(T.String()),
  rejected_at: orNull(T.String()),
  rejected_reason: orNull(T.String({ description: 'The reason that the merchant entered' })),
  reversed_at: orNull(T.String()),
  bonus: orNull(
    T.Object(
      { reason: T.String(), order_id: orNull(T.String()) },
      { description: 'Only of a commission that the store added without an order' },
    ),
  ),
  explanation: T.String({ description: 'In the language of the Accept-Language header, English by default' }),
  pay: namedObject('SalePayment', {
    word: T.Enum([...payDateStates]),
    at: orNull(T.String({ description: 'When it was paid, or the expected date; null if unknown' })),
    steps: T.Array(T.Object({ what: T.Enum([...payStepKinds]), at: orNull(T.String()) })),
    payout_id: orNull(T.String()),
  }),
});
export type SaleJson = Static<typeof saleJson>;

type SaleFacts = {
  readonly storeId: Id<'store'>;
  readonly storeName: string;
  readonly programName: string;
  readonly subId: string | null;
  readonly discountCode: string | null;
  readonly leadKind: string | null;
  readonly bonus: SaleJson['bonus'];
  readonly rejectedReason: string | null;
  readonly explanation: string;
  readonly pay: PayDate;
  readonly payoutId: Id<'pay'> | null;
};

export function showSale(commission: ListedCommission, beside: SaleFacts): SaleJson {
  const { sourceKind, sourceText, heldReason, heldSince } = commission;
  return {
    id: publicId('com', commission.commissionId),
    state: commission.state,
    held: heldReason === null || heldSince === null ? null : { reason: heldReason, since: isoTime(heldSince) },
    store_id: publicId('store', beside.storeId),
    store_name: beside.storeName,
    program_id: publicId('prog', commission.programId),
    program_name: beside.programName,
    order_id: sourceKind === 'order' ? sourceText : null,
    invoice_id: sourceKind === 'invoice' ? sourceText : null,
    lead_id: sourceKind === 'lead' ? sourceText : null,
    lead_kind: beside.leadKind,
    sub_id: beside.subId,
    discount_code: beside.discountCode,
    amount_cents: commission.amountCents,
    eligible_cents: commission.eligibleCents,
    refunded_cents: commission.refundedCents,
    // Without the rule, whose group has the merchant's name for it, and the budget for all creators.
    rates: (commission.earnedAfterRefunds ?? commission.earned).map(
      ({ rule: _rule, skipped: _skipped, budget: _budget, terms: _terms, ...rate }) => rate,
    ),
    terms_version: commission.termsVersion,
    occurred_at: isoTime(commission.occurredAt),
    recorded_at: isoTime(commission.recordedAt),
    hold_until: isoTime(commission.holdUntil),
    approved_at: isoTimeOrNull(commission.approvedAt),
    rejected_at: isoTimeOrNull(commission.rejectedAt),
    rejected_reason: beside.rejectedReason,
    reversed_at: isoTimeOrNull(commission.reversedAt),
    bonus: beside.bonus,
    explanation: beside.explanation,
    pay: {
      word: beside.pay.state,
      at: isoTimeOrNull(beside.pay.at),
      steps: beside.pay.steps.map(({ what, at }) => ({ what, at: isoTimeOrNull(at) })),
      payout_id: beside.payoutId && publicId('pay', beside.payoutId),
    },
  };
}

type Sale = StoreRow<ListedCommission>;
type Reading = { readonly creatorId: Id<'crt'>; readonly mode: Config['mode']; readonly now: Date; readonly speech: Speech };

/** Loads the related rows of a page of sales in one query for each store and table. */
export async function loadSaleRenderer(
  db: Queryable,
  sales: readonly Sale[],
  { creatorId, mode, now, speech }: Reading,
): Promise<(sale: Sale) => SaleJson> {
  const stores = await storesById(
    db,
    sales.map(({ storeId }) => storeId),
  );
  const programs = await programsByName(
    db,
    sales.map(({ storeId, row }) => ({ storeId, programId: row.programId })),
  );
  const reserves = await listReserves(db, [...stores.keys()], { mode, now });
  const ways = new Map<Id<'com'>, PaymentProgress>();
  const clicks = new Map<Id<'com'>, SaleClick>();
  for (const [storeId, of] of Map.groupBy(sales, (sale) => sale.storeId)) {
    const rows = of.map(({ row }) => row);
    const commissionIds = rows.map(({ commissionId }) => commissionId);
    for (const way of await listPaymentProgress(db, { storeId, commissionIds })) ways.set(way.commissionId, way);
    for (const came of await listSaleClicks(db, storeId, rows)) clicks.set(came.commissionId, came);
  }
  const payoutIds = [...ways.values()].flatMap(({ payoutId }) => payoutId ?? []);
  const payouts = new Map((await listPayoutEnds(db, { creatorId, payoutIds })).map((payout) => [payout.payoutId, payout]));
  return ({ storeId, row }) => {
    const [store, program, way] = [stores.get(storeId), programs.get(row.programId), ways.get(row.commissionId)];
    invariant(store !== undefined && program !== undefined && way !== undefined, 'stores, programs and commissions are never deleted');
    const came = clicks.get(row.commissionId) ?? withoutClick;
    const { bonus, attribution } = came;
    const rejectedReason = isGoalLost(row.rejectedReason) ? speech.say('bonus.goal_lost') : row.rejectedReason;
    const pay = decidePayDate({
      now,
      state: row.state,
      isHeld: row.heldReason !== null || way.isKeptBack,
      amount: row.amountCents,
      holdUntil: row.holdUntil,
      autoApproveAt: row.autoApproveAt,
      invoice: way.invoiceState === null ? null : { nextChargeAt: way.nextChargeAt, isStuck: isStuck(way.invoiceState, way.nextChargeAt) },
      reserve: reserves.get(storeId) ?? reserveOver,
      payout: way.payoutId === null ? null : (payouts.get(way.payoutId) ?? { endedAt: null }),
    });
    return showSale(row, {
      storeId,
      storeName: store.name,
      programName: program.name,
      subId: came.subId,
      bonus: bonus && { reason: bonusReason(bonus, speech), order_id: bonus.orderId },
      rejectedReason,
      discountCode: (attribution?.attributed_by === 'code' && attribution.discount_code) || null,
      leadKind: came.lead?.kind ?? null,
      explanation: explainSale(row, { ...came, ...way, rejectedReason }, speech),
      pay,
      payoutId: way.payoutId,
    });
  };
}

/** No automatic charge follows: someone has to act first. */
const isStuck = (state: string, nextChargeAt: Date | null): boolean =>
  state === 'past_due' || state === 'charged_back' || ((state === 'issued' || state === 'retrying') && nextChargeAt === null);

type SaleClick = {
  readonly clickedAt: Date | null;
  readonly subId: string | null;
  readonly attribution: AttributionWhy | null;
  readonly lead: SourceDetails['lead'];
  readonly bonus: SourceDetails['bonus'];
};

/** Of the invoice of a subscription. */
const withoutClick: SaleClick = { clickedAt: null, subId: null, attribution: null, lead: null, bonus: null };

async function listSaleClicks(
  db: Queryable,
  storeId: Id<'store'>,
  commissions: readonly ListedCommission[],
): Promise<ReadonlyArray<SaleClick & { readonly commissionId: Id<'com'> }>> {
  const details = await loadDetails(db, storeId, commissions);
  const sources = commissions.map((commission) => ({ ...details(commission), commissionId: commission.commissionId }));
  const clickIds = sources.flatMap(({ order, lead }) => (order ?? lead)?.clickId ?? []);
  const subIds = await listSubIds(db, { storeId, clickIds });
  const bySub = new Map(subIds.map(({ clickId, subId }) => [clickId, subId]));
  return sources.flatMap(({ commissionId, order, lead, bonus }) => {
    const source = order ?? lead;
    if (source === null && bonus === null) return [];
    const clickId = source?.clickId ?? null;
    const subId = (clickId && bySub.get(clickId)) ?? null;
    return [{ commissionId, clickedAt: clickId && timeOfId(clickId), subId, attribution: source?.attribution ?? null, lead, bonus }];
  });
}

type ExplainFacts = Omit<SaleClick, 'subId'> &
  Pick<PaymentProgress, 'isKeptBack' | 'lateRefundedCents'> & { readonly rejectedReason: string | null };

/** The explanation for creators, followed by refunds that came too late and by the merchant's reason for a rejection. */
function explainSale(
  commission: ListedCommission,
  { clickedAt, attribution, lead, bonus, isKeptBack, lateRefundedCents, rejectedReason }: ExplainFacts,
  speech: Speech,
): string {
  const { say, money, paragraph } = speech;
  const isUnderReview = isKeptBack && commission.state !== 'paid';
  return paragraph([
    explainCommission(commission, { clickedAt: isoTimeOrNull(clickedAt), attribution, lead, bonus }, speech),
    lateRefundedCents === 0n ? null : say('sale_json.late_refund', { refunded: money(lateRefundedCents) }),
    isUnderReview ? say('commission_json.payout_under_review') : null,
    isUnderReview || rejectedReason === null ? null : say('sale_json.merchant_reason', { reason: rejectedReason }),
  ]);
}
