import type { HoldReason } from '../commissions/commission.ts';
import type { CommissionState } from '../commissions/commission-states.ts';
import type { SubscriptionRule, TermsSettings } from '../merchants/terms.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { AttributionWhy, RuleWhy, Why } from '../contract/why.ts';

export type Environment = 'live' | 'test';

/** An absent price matches every price. */
export type Product = { readonly productId: string; readonly priceId: string | null };

/** A relationship is found by its store and the hash of the merchant's ID. */
export type RelationshipKey = { readonly storeId: Id<'store'>; readonly relationshipHash: Buffer };

/** A subscription that was bound to a creator. */
export type Relationship = RelationshipKey & {
  readonly bindingId: Id<'bind'>;
  /** The event ID in the answer to the bind, and to another bind that repeats it. */
  readonly bindEventId: Id<'evt'>;
  readonly relationshipId: string;
  /** Null: a discount code or the customer earned the subscription. */
  readonly clickId: Id<'click'> | null;
  /** What another event that repeats the bind must name again. Null: the same click. */
  readonly touchHash: Buffer | null;
  /** What was compared. Null if there was only a click. */
  readonly comparedAtBind: AttributionWhy | null;
  readonly attribution: Attribution;
  readonly firstBound: Product;
  /** Invoices are compared with it: the first bound product, until a review accepts another. */
  readonly bound: Product;
  readonly boundAt: Date;
  readonly recordedAt: Date;
  readonly paidInvoices: number;
  /** Invoices with a commission above 0, which a rule's limit counts. */
  readonly earningInvoices: number;
  readonly lifecycle: Lifecycle;
  readonly hold: RelationshipHold | null;
};

/** Who earns from its invoices. Decided once, at the bind. */
export type Attribution =
  | {
      readonly environment: 'live';
      readonly programId: Id<'prog'>;
      readonly creatorId: Id<'crt'>;
      readonly linkNumber: bigint;
      /** Null: no rule matched at the bind, so nothing is ever earned. */
      readonly plan: Plan | null;
    }
  | { readonly environment: 'test' };

/** A copy of the rule and terms in force at the bind, which never changes. */
export type Plan = Pick<SubscriptionRule, 'rate' | 'maxInvoices' | 'maxMonths'> &
  TermsSettings & {
    readonly version: number;
    /** Where the rule is from, if the terms have different rates for creators. */
    readonly rule?: RuleWhy;
  };

export type Lifecycle =
  | { readonly state: 'active' }
  | {
      readonly state: 'ended';
      readonly recordedAt: Date;
      /** Null if the end had no time of its own. */
      readonly occurredAt: Date | null;
      readonly reason: string | null;
    };

export const relationshipHoldReasons = ['product_mismatch', 'price_mismatch'] as const;
export type RelationshipHoldReason = (typeof relationshipHoldReasons)[number];

/** An open review, independent of the state: the billed product or price differs from the bound one. */
export type RelationshipHold = { readonly reason: RelationshipHoldReason; readonly since: Date; readonly billed: Product };

export type PaymentState = 'paid' | 'failed' | 'open' | 'void' | 'uncollectible';

export type InvoiceKey = { readonly storeId: Id<'store'>; readonly bindingId: Id<'bind'>; readonly invoiceHash: Buffer };

export type Invoice = InvoiceKey & {
  readonly relationshipInvoiceId: Id<'rinv'>;
  readonly invoiceId: string;
  readonly firstRecordedAt: Date;
  /** Whether it was first reported after the relationship had ended. */
  readonly isReportedAfterEnd: boolean;
  readonly payment: Unpaid | Paid;
  readonly reversal: InvoiceReversal | null;
};

export type Unpaid = { readonly state: Exclude<PaymentState, 'paid'> };

/** The first `paid` event. Only a reversal or a review changes the invoice after it. */
export type Paid = {
  readonly state: 'paid';
  /** Its number among the payments of the relationship, in the order recorded. */
  readonly number: number;
  readonly eventId: Id<'evt'>;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly amount: Cents;
  readonly eligible: Cents;
  readonly product: Product;
  readonly earns: Earns;
  readonly why: Why;
};

export type Earns =
  | { readonly is: 'commission'; readonly commissionId: Id<'com'> }
  /** Waits for the review of its relationship. */
  | { readonly is: 'waits' }
  | { readonly is: 'nothing'; readonly because: NoCommissionReason };

export const noCommissionReasons = ['test', 'zero_commission', 'month_limit', 'invoice_limit', 'reversed_before', 'declined'] as const;
export type NoCommissionReason = (typeof noCommissionReasons)[number];

/** By a reversal, or by refunds of all of it. */
export type InvoiceReversal = { readonly eventId: Id<'evt' | 'rfd'>; readonly at: Date; readonly reason: string | null };

/** A commission, read under its row lock. */
export type LockedCommission = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly held: HoldReason | null;
  readonly amount: Cents;
};
