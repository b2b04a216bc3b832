/** The values that a decision compared, stored with it, so that an explanation needs no look-up. Times are ISO 8601, amounts are cents. */
export type Why = Partial<AttributionWhy> & {
  readonly occurred_at?: string;
  readonly received_at?: string;
  readonly clicked_at?: string;
  readonly attribution_days?: number;
  readonly age_days_max?: number;
  readonly hold_until?: string;
  readonly terms_version?: number;
  readonly currency?: string;
  readonly eligible_cents?: number;
  readonly commission_cents?: number;
  readonly earned?: readonly EarnedWhy[];
  readonly held?: string;
  readonly commission_state?: string;
  readonly expires_at?: string;
  readonly first_recorded_at?: string;

  // Partial refunds.
  readonly refund_cents?: number;
  /** What can still be refunded: of the order or invoice, or of one product. */
  readonly remaining_cents?: number;
  readonly product_id?: string;
  readonly commission_before_cents?: number;
  /** The commission was already invoiced: `before` or `after` the store paid. */
  readonly credited?: string;

  // Leads.
  readonly lead_kind?: string;
  /** The monthly limit that was used up. */
  readonly leads_max?: number;

  // Subscriptions.
  /** The environment of the click or the relationship. */
  readonly environment?: string;
  readonly bound_at?: string;
  readonly ended_at?: string;
  readonly basis_points?: number;
  readonly flat_cents?: number;
  readonly invoices_max?: number;
  readonly months_max?: number;
  /** Where the rule of a subscription is from. */
  readonly applied_rule?: RuleWhy;
  readonly earns_until?: string;
  readonly payment_state?: string;
  readonly paid_cents?: number;
  readonly first_paid_at?: string;
  readonly invoice_state?: string;
  readonly earns_nothing?: string;
  readonly relationship_held?: string;
  readonly reviewed_at?: string;
  readonly reversed_at?: string;
  readonly bound_product_id?: string;
  readonly bound_price_id?: string;
  readonly billed_product_id?: string;
  readonly billed_price_id?: string;
};

export type EarnedWhy = {
  readonly product_id: string | null;
  readonly of_cents: number;
  readonly quantity: number;
  readonly basis_points: number | null;
  readonly flat_cents: number | null;
  readonly amount_cents: number;
  /** Copied if the terms have different rates for creators, or conditions. */
  readonly rule?: RuleWhy;
  /** The rules that would have come first, but whose conditions did not hold. */
  readonly skipped?: SkippedRuleWhy[];
  /** The order earns nothing, because its commission would have exceeded a budget. */
  readonly budget?: BudgetWhy;
  /** Why another version of the terms applied than the one in force for all. In the first part. */
  readonly terms?: TermsWhy;
};

/** An announced version that the creator accepted early, or the version of the click. */
export type TermsWhy = {
  readonly because: 'accepted' | 'click_before_change';
  /** The version that applied. */
  readonly version: number;
  /** The time of the acceptance or of the click. */
  readonly at: string;
  /** The version that was accepted, or that came after the click, and its start for all others. */
  readonly changed_version: number;
  readonly changed_from: string;
};

/** The first limit that the commission would have exceeded, and what was earned under it until then. */
export type BudgetWhy = {
  readonly limit: 'program_month' | 'program_total' | 'creator_month' | 'creator_total';
  readonly limit_cents: number;
  readonly used_cents: number;
  readonly commission_cents: number;
};

/** The rule that applied, and the facts by which it was chosen. */
export type RuleWhy = {
  readonly level: 'member' | 'group' | 'tier' | 'product' | 'program';
  readonly member_id?: string;
  readonly group_id?: string;
  readonly group_name?: string;
  /** What the rule asked for, and the facts that fulfilled it. */
  readonly conditions?: ConditionsWhy;
  readonly facts?: FactsWhy;
  readonly tier?: TierWhy;
  /** Why another version of the terms applied when a subscription was bound. */
  readonly terms?: TermsWhy;
};

/** The tier at the time of the order, and what had been approved in the period when it was reached. */
export type TierWhy = {
  readonly number: number;
  readonly measure: 'approved_commissions' | 'approved_revenue';
  readonly period: 'month' | 'days_30' | 'days_90';
  /** Commissions or cents, like the figure. */
  readonly threshold: number;
  readonly figure: number;
  readonly reached_at: string;
};

/** What a rule asks for besides its product. */
export type ConditionsWhy = {
  readonly products?: string[];
  readonly new_customers?: true;
  /** The minimum of the eligible amount. */
  readonly min_order_cents?: number;
  readonly countries?: string[];
};

/** What an order was compared by: only what the conditions of its rules ask for. */
export type FactsWhy = {
  /** `unnamed`: the order has no `customer_id`. */
  readonly customer?: 'new' | 'known' | 'unnamed';
  readonly order_cents?: number;
  readonly country?: string | null;
};

/** A rule that did not apply, the first of its conditions that did not hold, and the facts. */
export type SkippedRuleWhy = RuleWhy & {
  readonly product_id: string | null;
  readonly basis_points: number | null;
  readonly flat_cents: number | null;
  readonly failed: 'products' | 'new_customers' | 'min_order' | 'countries';
};

/** Why an order belongs to a creator, if anything besides a click was compared. */
export const attributionRules = ['click', 'code', 'same_creator', 'code_before_click', 'returning_customer', 'first_partner'] as const;

export type AttributionWhy = {
  readonly rule: (typeof attributionRules)[number];
  readonly attributed_by: 'click' | 'code' | 'customer';
  readonly attributed_to: string;
  readonly discount_code?: string;
  readonly customer_since?: string;
  /** Which of the customer's later orders it is. */
  readonly customer_order?: number;
  readonly compared?: ComparedWhy;
  readonly rejected_codes?: readonly RejectedCodeWhy[];
};

/** Another creator of the order, who would have earned this much. What a subscription earns is not known when it is bound. */
export type ComparedWhy = Pick<AttributionWhy, 'discount_code' | 'customer_since' | 'customer_order'> & {
  readonly by: AttributionWhy['attributed_by'];
  readonly creator_id: string;
  readonly clicked_at?: string;
  readonly commission_cents?: number;
};

/** Why a code of an order does not count. */
export const codeProblems = [
  'codes_off',
  'shared',
  'not_yet_valid',
  'expired',
  'ended',
  'paused',
  'owner_not_active',
  'program_not_published',
  'store_past_due',
  'no_customer_id',
  'customer_limit',
  'not_first',
] as const;

export type RejectedCodeWhy = { readonly discount_code: string; readonly because: (typeof codeProblems)[number] };
