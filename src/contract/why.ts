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

/** Another creator of the order, who would have earned this much. */
export type ComparedWhy = Pick<AttributionWhy, 'discount_code' | 'customer_since' | 'customer_order'> & {
  readonly by: AttributionWhy['attributed_by'];
  readonly creator_id: string;
  readonly clicked_at?: string;
  readonly commission_cents: number;
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
] as const;

export type RejectedCodeWhy = { readonly discount_code: string; readonly because: (typeof codeProblems)[number] };
