import { initialHold, openCommission, type OpenedCommission } from '../commissions/commission.ts';
import { sumParts, withTermsWhy, type Earning } from '../commissions/decide-earning.ts';
import type { Refusal } from '../contract/reasons.ts';
import type { ExplainedOutcome } from '../contract/reply.ts';
import { isOlderThanDays, isTooFarAhead, precedesClick } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { publicId, type Id } from '../core/ids.ts';
import { never } from '../core/invariant.ts';
import { amountToJson, noCents } from '../core/money.ts';
import { plusDays } from '../core/time.ts';
import { accrual, type Posting } from '../ledger/store-postings.ts';
import type { TermsOfCreator } from '../merchants/applied-rule.ts';
import type { LeadRule, Terms } from '../merchants/terms.ts';
import { apiMessage } from '../messages/api-message.ts';
import { bindingOf, decideAttribution, type Attribution, type Partners } from '../orders/decide-attribution.ts';
import { graceDays, type ReferralClick, type TestClick } from '../orders/decide-conversion.ts';
import type { LeadReport } from './lead-report.ts';

export type LeadClick = Omit<ReferralClick, 'backsAnotherOrder'>;

export type LeadFacts = {
  readonly now: Date;
  readonly storeId: Id<'store'>;
  /** The lead already recorded with this ID. */
  readonly earlier: EarlierLead | null;
  /** Null: the click is forged, unknown, or another store's. */
  readonly click: LeadClick | TestClick | null;
  readonly wasReversedEarly: boolean;
  /** Null: the store counts only clicks. */
  readonly partners: Partners | null;
  /** How many leads of this kind the creator was already paid for in the month of this one, under a monthly limit. */
  readonly paidInMonth: number;
  readonly fresh: { readonly leadId: Id<'lead'>; readonly commissionId: Id<'com'> };
};

export type LeadIds = { readonly leadId: Id<'lead'>; readonly commissionId: Id<'com'> };
export type EarlierLead = LeadIds & { readonly recordedAt: Date; readonly isSame: boolean };

export type LeadDecision =
  | {
      readonly do: 'record';
      readonly lead: NewLead;
      readonly commission: OpenedCommission;
      readonly postings: readonly Posting[];
      readonly why: Why;
    }
  | { readonly do: 'repeat'; readonly earlier: EarlierLead; readonly why: Why }
  | { readonly do: 'refuse'; readonly reason: Refusal; readonly message?: string; readonly why: Why };

export type NewLead = LeadIds & {
  readonly storeId: Id<'store'>;
  readonly report: LeadReport;
  readonly attribution: Attribution;
  readonly binding: { readonly number: number } | null;
  /** Its place among the paid leads of the month, if the terms limit them. */
  readonly paid: { readonly month: string; readonly number: number } | null;
  /** The limit of the terms, which may be used up. */
  readonly perMonthMax: number | null;
  readonly exceededLimit: number | null;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
};

/** The rules for a lead, in their order, as for an order; the first match wins. A click backs any number of leads. */
export function decideLead(report: LeadReport, facts: LeadFacts): LeadDecision {
  const { earlier, click, now } = facts;
  const { occurredAt } = report;
  if (earlier?.isSame) return { do: 'repeat', earlier, why: { first_recorded_at: earlier.recordedAt.toISOString() } };
  if (earlier) return refuse('duplicate_lead_conflict', { first_recorded_at: earlier.recordedAt.toISOString() });
  if (report.clickId === null && report.discountCode === null) return noClick({});
  if (occurredAt === 'unreadable') return refuse('invalid_occurred_at', {});
  if (isTooFarAhead(occurredAt, now)) return refuse('invalid_occurred_at', { ...happened(occurredAt), received_at: now.toISOString() });
  if (click === null && report.clickId === null) return decideByCode(report, facts, { occurredAt, refusal: noClick({}) });
  if (click === null) return refuse('unknown_referral_click', {});
  if (click.kind === 'test') return refuse('test_click_not_allowed', {}, apiMessage('lead.test_click'));

  const { terms } = click;
  if (terms === null) return refuse('pricing_history_unavailable', happened(occurredAt));
  const compared = {
    ...happened(occurredAt),
    clicked_at: click.at.toISOString(),
    attribution_days: terms.attributionDays,
    terms_version: terms.version,
  };
  const tooOld = refusalOfAge(occurredAt, { now, terms, compared });
  if (tooOld !== null) return tooOld;
  if (precedesClick(occurredAt, click.at))
    return decideByCode(report, facts, { occurredAt, refusal: refuse('lead_precedes_click', compared) });
  if (occurredAt > plusDays(click.at, terms.attributionDays)) {
    const refusal = refuse('attribution_window_expired', compared, apiMessage('lead.window_expired'));
    return decideByCode(report, facts, { occurredAt, refusal });
  }
  const { attribution } = attribute(report, facts, { occurredAt, click: { ...click, terms } });
  return attribution === null ? noClick(compared) : record(report, facts, { attribution, occurredAt });
}

const happened = (occurredAt: Date) => ({ occurred_at: occurredAt.toISOString() });

type Refused = Extract<LeadDecision, { readonly do: 'refuse' }>;
const refuse = (reason: Refusal, why: Why, message?: string): Refused => ({
  do: 'refuse',
  reason,
  ...(message === undefined ? {} : { message }),
  why,
});
const noClick = (why: Why): Refused => refuse('missing_referral_click', why, apiMessage('lead.no_click'));

type Aged = { readonly now: Date; readonly terms: Terms; readonly compared: Why };

function refusalOfAge(occurredAt: Date, { now, terms, compared }: Aged): Refused | null {
  const ageDaysMax = terms.attributionDays + graceDays;
  if (!isOlderThanDays(occurredAt, { now, daysMax: ageDaysMax })) return null;
  return refuse('invalid_occurred_at', { ...compared, received_at: now.toISOString(), age_days_max: ageDaysMax });
}

type AttributedClick = { readonly occurredAt: Date; readonly click: (LeadClick & { readonly terms: Terms }) | null };
const noPartners: Partners = { codes: [], bindings: [], customerHash: null };

/** Limits per customer count orders, so a lead neither needs nor uses them. */
function attribute({ kind }: LeadReport, { partners: given }: LeadFacts, { occurredAt, click }: AttributedClick) {
  const partners = given ?? noPartners;
  return decideAttribution({
    earns: (terms) => leadRuleOf(terms, kind)?.amount ?? noCents,
    occurredAt,
    click,
    partners: { ...partners, codes: partners.codes.map((code) => ({ ...code, ordersPerCustomer: null })) },
  });
}

const leadRuleOf = ({ attribution }: Terms, kind: string): LeadRule | null => attribution.leads.find((rule) => rule.kind === kind) ?? null;

type WithoutClick = { readonly occurredAt: Date; readonly refusal: Refused };

/** Without a click that counts, a code earns. A customer alone does not: a lead is a new contact, not a later order. */
function decideByCode(report: LeadReport, facts: LeadFacts, { occurredAt, refusal }: WithoutClick): LeadDecision {
  const { attribution, rejectedCodes } = attribute(report, facts, { occurredAt, click: null });
  const rejected = rejectedCodes.length === 0 ? {} : { rejected_codes: rejectedCodes };
  if (attribution === null || attribution.why?.rule === 'returning_customer')
    return { ...refusal, why: { ...happened(occurredAt), ...refusal.why, ...rejected } };
  const { terms } = attribution.credited;
  const compared = { ...happened(occurredAt), terms_version: terms.version, attribution_days: terms.attributionDays };
  return refusalOfAge(occurredAt, { now: facts.now, terms, compared }) ?? record(report, facts, { attribution, occurredAt });
}

type Earned = Pick<NewLead, 'paid' | 'perMonthMax' | 'exceededLimit'> & { readonly earning: Earning };

/** The flat amount of the kind, within the limit of the month. */
function earningOf(
  { kind }: LeadReport,
  terms: TermsOfCreator,
  { paidInMonth, occurredAt }: { paidInMonth: number; occurredAt: Date },
): Earned {
  const rule = leadRuleOf(terms, kind);
  const perMonthMax = rule === null || rule.amount === 0n ? null : rule.perMonthMax;
  const isExceeded = perMonthMax !== null && paidInMonth >= perMonthMax;
  if (rule === null || isExceeded)
    return { earning: sumParts([]), paid: null, perMonthMax, exceededLimit: isExceeded ? perMonthMax : null };
  const { amount } = rule;
  return {
    earning: sumParts(withTermsWhy(terms, [{ productId: null, of: amount, quantity: 1n, rate: { is: 'flat', cents: amount }, amount }])),
    paid: perMonthMax === null ? null : { month: monthOf(occurredAt), number: paidInMonth + 1 },
    perMonthMax,
    exceededLimit: null,
  };
}

/** The first day of the month in UTC, in which leads are counted. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

type Attributed = { readonly attribution: Attribution; readonly occurredAt: Date };

function record(report: LeadReport, facts: LeadFacts, { attribution, occurredAt }: Attributed): LeadDecision {
  const { storeId, now, fresh, partners, paidInMonth } = facts;
  const { terms, programId, creatorId, linkNumber, click, isCreatorSuspended } = attribution.credited;
  const { earning, paid, perMonthMax, exceededLimit } = earningOf(report, terms, { paidInMonth, occurredAt });
  const commission = openCommission(
    {
      storeId,
      commissionId: fresh.commissionId,
      programId,
      creatorId,
      linkNumber,
      source: { kind: 'lead', id: fresh.leadId, text: report.leadId, ...report.receivedId },
      eligible: noCents,
      earning,
      occurredAt,
      recordedAt: now,
      held: initialHold({ wasReversedEarly: facts.wasReversedEarly, isCreatorSuspended }, now),
    },
    terms,
  );
  return {
    do: 'record',
    lead: {
      storeId,
      ...fresh,
      report,
      attribution,
      binding: partners && bindingOf(attribution, { partners, occurredAt }),
      paid,
      perMonthMax,
      exceededLimit,
      occurredAt,
      recordedAt: now,
    },
    commission,
    postings: accrual({ storeId, creatorId, amount: earning.amount }, { kind: 'lead', id: fresh.leadId }, now),
    why: {
      ...happened(occurredAt),
      ...(click === null ? {} : { clicked_at: click.at.toISOString() }),
      lead_kind: report.kind,
      attribution_days: terms.attributionDays,
      terms_version: terms.version,
      commission_cents: amountToJson(earning.amount),
      ...(exceededLimit === null ? {} : { leads_max: exceededLimit }),
      hold_until: commission.holdUntil.toISOString(),
      ...(commission.held ? { held: commission.held.reason } : {}),
      ...attribution.why,
    },
  };
}

/** The reply to a decision. */
export function leadOutcome(decision: LeadDecision): ExplainedOutcome {
  const { why } = decision;
  switch (decision.do) {
    case 'record':
      return { outcome: { reason: 'recorded', ids: leadIds(decision.lead) }, why };
    case 'repeat':
      return { outcome: { reason: 'duplicate_lead', ids: leadIds(decision.earlier), isReplay: true }, why };
    case 'refuse': {
      const { reason, message } = decision;
      return { outcome: { reason, ...(message === undefined ? {} : { message }) }, why };
    }
    default:
      return never(decision);
  }
}

export const leadIds = ({ leadId, commissionId }: LeadIds) => ({
  conversion_id: publicId('com', commissionId),
  lead_id: publicId('lead', leadId),
});
