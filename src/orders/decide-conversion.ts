import { earningBreakdown, initialHold, openCommission, type OpenedCommission } from '../commissions/commission.ts';
import { decideEarning, withoutBudget } from '../commissions/decide-earning.ts';
import type { Refusal } from '../contract/reasons.ts';
import type { ExplainedOutcome } from '../contract/reply.ts';
import { isOlderThanDays, isTooFarAhead, precedesClick } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { accrual, type Posting } from '../ledger/store-postings.ts';
import type { TermsOfCreator } from '../merchants/applied-rule.ts';
import type { Terms } from '../merchants/terms.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import { isoTime, plusDays } from '../core/time.ts';
import { decideBudget, noBudgets, type Budgets } from './decide-budget.ts';
import {
  bindingOf,
  decideAttribution,
  type Attribution,
  type AttributionDecision,
  type Credited,
  type Partners,
} from './decide-attribution.ts';
import type { ConversionReport } from './report.ts';
import { amountToJson } from '../core/money.ts';

/** Read in the transaction that writes the decision. */
export type ConversionFacts = {
  readonly now: Date;
  readonly storeId: Id<'store'>;
  /** The order already recorded with this ID. Null for a test order, which is decided again each time. */
  readonly earlier: EarlierOrder | null;
  /** Null: the click is forged, unknown, or another store's. */
  readonly click: ReferralClick | TestClick | null;
  readonly wasReversedEarly: boolean;
  /** Null: the store counts only clicks. */
  readonly partners: Partners | null;
  /** Absent: the order has no `customer_id`, or no terms of the store ask. */
  readonly isNewCustomer?: boolean;
  /** Absent: nothing was earned of a budget so far. */
  readonly budgets?: Pick<Budgets, 'usedBy'>;
  /** Minted by the caller, because a decision has no randomness. */
  readonly fresh: { readonly transactionId: Id<'ord'>; readonly commissionId: Id<'com'> };
};

export type EarlierOrder = {
  readonly transactionId: Id<'ord'>;
  readonly commissionId: Id<'com'>;
  readonly recordedAt: Date;
  readonly isSame: boolean;
};

export type ReferralClick = {
  readonly kind: 'referral';
  readonly clickId: Id<'click'>;
  readonly at: Date;
  readonly linkNumber: bigint;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly isCreatorSuspended: boolean;
  readonly backsAnotherOrder: boolean;
  /** The terms in force when the order happened. Null: their history cannot be read. */
  readonly terms: TermsOfCreator | null;
};

export type TestClick = { readonly kind: 'test'; readonly clickId: Id<'click'>; readonly expiresAt: Date };

export type ConversionDecision =
  | {
      readonly do: 'record';
      readonly order: NewOrder;
      readonly commission: OpenedCommission;
      readonly postings: readonly Posting[];
      readonly why: Why;
    }
  | { readonly do: 'verify'; readonly transactionId: Id<'ord'>; readonly why: Why }
  | { readonly do: 'repeat'; readonly earlier: EarlierOrder; readonly why: Why }
  | { readonly do: 'refuse'; readonly reason: Refusal; readonly field?: string; readonly why: Why };

export type NewOrder = {
  readonly storeId: Id<'store'>;
  readonly transactionId: Id<'ord'>;
  readonly commissionId: Id<'com'>;
  readonly report: ConversionReport;
  readonly attribution: Attribution;
  /** The number of the binding that the order makes between its customer and its creator. */
  readonly binding: { readonly number: number } | null;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
};

/** An order may be this much older than its attribution window, because merchants' queues may send it late. */
export const graceDays = 7;
const ageDaysMaxOf = ({ attributionDays }: Terms): number => attributionDays + graceDays;

/** The rules of section 4 of the contract, in their order; the first match wins. */
export function decideConversion(report: ConversionReport, facts: ConversionFacts): ConversionDecision {
  const { earlier, click, now } = facts;
  const { occurredAt } = report;
  if (earlier?.isSame) return { do: 'repeat', earlier, why: { first_recorded_at: earlier.recordedAt.toISOString() } };
  if (earlier) return refuse('duplicate_order_conflict', { first_recorded_at: earlier.recordedAt.toISOString() });
  if (report.discountCodes === 'unreadable' && facts.partners !== null) return refuseField('/discount_codes', {});
  if (report.clickId === null && !hasPartners(facts)) return refuse('missing_referral_click', {});
  if (report.currency !== 'USD') return refuse('unsupported_pricing_currency', { currency: report.currency });
  if (occurredAt === 'unreadable') return refuse('invalid_occurred_at', {});
  if (isTooFarAhead(occurredAt, now)) return refuse('invalid_occurred_at', { ...happened(occurredAt), received_at: now.toISOString() });
  if (click === null && report.clickId === null)
    return decideWithoutClick(report, facts, { occurredAt, refusal: refuse('missing_referral_click', {}) });
  if (click === null) return refuse('unknown_referral_click', {});
  if (click.kind === 'referral' && report.isTest) return refuse('test_click_required', clicked(click.at));
  if (click.kind === 'test' && !report.isTest) return refuse('test_click_not_allowed', {});
  if (click.kind === 'test' && click.expiresAt <= now) return refuse('test_link_expired', { expires_at: click.expiresAt.toISOString() });
  if (click.kind === 'test') return { do: 'verify', transactionId: facts.fresh.transactionId, why: {} };

  const { terms } = click;
  if (terms === null) return refuse('pricing_history_unavailable', happened(occurredAt));
  const compared = { ...happened(occurredAt), ...clicked(click.at), attribution_days: terms.attributionDays, terms_version: terms.version };
  const ageDaysMax = ageDaysMaxOf(terms);
  if (isOlderThanDays(occurredAt, { now, daysMax: ageDaysMax })) {
    return refuse('invalid_occurred_at', { ...compared, received_at: now.toISOString(), age_days_max: ageDaysMax });
  }
  if (terms.pays === 'product' && report.lines === null) return refuseField('/line_items', compared);
  const refusal = refusalOfClick(occurredAt, click, { terms, compared });
  if (refusal !== null) return decideWithoutClick(report, facts, { occurredAt, refusal });
  const { attribution } = decideAttribution({
    earns: earningOf(report, facts),
    occurredAt,
    click: { ...click, terms },
    partners: facts.partners ?? noPartners,
  });
  invariant(attribution !== null, 'a click that counts earns, unless another creator does');
  return recordFor(attribution, report, { facts, occurredAt });
}

const earningOf = (report: ConversionReport, facts: ConversionFacts) => (terms: Terms) =>
  decideEarning(terms, earningOrder(report, facts)).amount;

/** The order as the rules of the terms compare it. */
const earningOrder = ({ eligible, lines, country }: ConversionReport, { isNewCustomer }: ConversionFacts) => ({
  eligible,
  lines: lines ?? [],
  facts: { isNewCustomer: isNewCustomer ?? null, country },
});

const noPartners: Partners = { codes: [], bindings: [], customerHash: null };
const hasPartners = ({ partners }: ConversionFacts): boolean => partners !== null && partners.codes.length + partners.bindings.length > 0;

type ClickTerms = { readonly terms: TermsOfCreator; readonly compared: Why };

/** Why the click does not count for this order. A code or a returning customer may still earn. */
function refusalOfClick(occurredAt: Date, click: ReferralClick, { terms, compared }: ClickTerms): RefusedConversion | null {
  if (precedesClick(occurredAt, click.at)) return refuse('order_precedes_click', compared);
  if (occurredAt > plusDays(click.at, terms.attributionDays)) return refuse('attribution_window_expired', compared);
  return click.backsAnotherOrder ? refuse('referral_click_already_converted', compared) : null;
}

type WithoutClick = { readonly occurredAt: Date; readonly refusal: RefusedConversion };

/** Without a click that counts, a code earns, or the creator of the customer's binding. Otherwise the click's refusal is the answer. */
function decideWithoutClick(report: ConversionReport, facts: ConversionFacts, { occurredAt, refusal }: WithoutClick): ConversionDecision {
  if (!hasPartners(facts) || facts.partners === null) return refusal;
  const { attribution, rejectedCodes } = decideAttribution({
    earns: earningOf(report, facts),
    occurredAt,
    click: null,
    partners: facts.partners,
  });
  if (attribution !== null) return recordFor(attribution, report, { facts, occurredAt });
  return { ...refusal, why: { ...happened(occurredAt), ...refusal.why, ...rejectedWhy(rejectedCodes) } };
}

const rejectedWhy = (rejectedCodes: AttributionDecision['rejectedCodes']): Why =>
  rejectedCodes.length === 0 ? {} : { rejected_codes: rejectedCodes };

type Recording = { readonly facts: ConversionFacts; readonly occurredAt: Date };

/** The terms of the creator who earns decide how old the order may be, and whether it needs its lines. */
function recordFor(attribution: Attribution, report: ConversionReport, { facts, occurredAt }: Recording): ConversionDecision {
  const { by, terms } = attribution.credited;
  if (by === 'click') return record(report, facts, { attribution, occurredAt });
  const compared = { ...happened(occurredAt), terms_version: terms.version, attribution_days: terms.attributionDays };
  const ageDaysMax = ageDaysMaxOf(terms);
  if (isOlderThanDays(occurredAt, { now: facts.now, daysMax: ageDaysMax }))
    return refuse('invalid_occurred_at', { ...compared, received_at: facts.now.toISOString(), age_days_max: ageDaysMax });
  if (terms.pays === 'product' && report.lines === null) return refuseField('/line_items', compared);
  return record(report, facts, { attribution, occurredAt });
}

/** The reply to a decision. */
export function conversionOutcome(decision: ConversionDecision): ExplainedOutcome {
  const { why } = decision;
  switch (decision.do) {
    case 'record':
      return { outcome: { reason: 'recorded', ids: orderIds(decision.order) }, why };
    case 'verify':
      return { outcome: { reason: 'test_verified', ids: { transaction_id: publicId('ord', decision.transactionId) } }, why };
    case 'repeat':
      return { outcome: { reason: 'duplicate_order', ids: orderIds(decision.earlier), isReplay: true }, why };
    case 'refuse':
      return { outcome: { reason: decision.reason, ...(decision.field === undefined ? {} : { field: decision.field }) }, why };
    default:
      return never(decision);
  }
}

export const orderIds = ({ transactionId, commissionId }: { readonly transactionId: Id<'ord'>; readonly commissionId: Id<'com'> }) => ({
  transaction_id: publicId('ord', transactionId),
  conversion_id: publicId('com', commissionId),
});

type RefusedConversion = Extract<ConversionDecision, { readonly do: 'refuse' }>;
const refuse = (reason: Refusal, why: Why): RefusedConversion => ({ do: 'refuse', reason, why });
const refuseField = (field: string, why: Why): RefusedConversion => ({ ...refuse('invalid_payload', why), field });
const happened = (occurredAt: Date) => ({ occurred_at: isoTime(occurredAt) });
const clicked = (at: Date) => ({ clicked_at: isoTime(at) });
const clickedBy = ({ click }: Credited): Why => (click === null ? {} : clicked(click.at));

type Attributed = { readonly attribution: Attribution; readonly occurredAt: Date };

function record(report: ConversionReport, facts: ConversionFacts, { attribution, occurredAt }: Attributed): ConversionDecision {
  const { storeId, now, fresh, budgets = noBudgets } = facts;
  const { credited } = attribution;
  const { terms, programId, creatorId, linkNumber } = credited;
  const full = decideEarning(terms, earningOrder(report, facts));
  const exceeded = decideBudget(terms.budget, budgets.usedBy(credited, occurredAt), full.amount);
  const earning = exceeded === null ? full : withoutBudget(full, exceeded);
  const commission = openCommission(
    {
      storeId,
      commissionId: fresh.commissionId,
      programId,
      creatorId,
      linkNumber,
      source: { kind: 'order', id: fresh.transactionId, text: report.orderId, ...report.receivedId, name: report.orderName },
      eligible: report.eligible,
      earning,
      occurredAt,
      recordedAt: now,
      held: initialHold({ wasReversedEarly: facts.wasReversedEarly, isCreatorSuspended: credited.isCreatorSuspended }, now),
    },
    terms,
  );
  return {
    do: 'record',
    order: {
      storeId,
      ...fresh,
      report,
      attribution,
      binding: facts.partners && bindingOf(attribution, { partners: facts.partners, occurredAt }),
      occurredAt,
      recordedAt: now,
    },
    commission,
    postings: accrual({ storeId, creatorId, amount: earning.amount }, { kind: 'order', id: fresh.transactionId }, now),
    why: {
      ...happened(occurredAt),
      ...clickedBy(credited),
      attribution_days: terms.attributionDays,
      terms_version: terms.version,
      eligible_cents: amountToJson(report.eligible),
      commission_cents: amountToJson(earning.amount),
      earned: earningBreakdown(earning),
      hold_until: isoTime(commission.holdUntil),
      ...(commission.held ? { held: commission.held.reason } : {}),
      ...attribution.why,
    },
  };
}
