import type { CommissionState, HoldReason } from '../commissions/commission.ts';
import type { SubscriptionRule, TermsSettings } from '../merchants/terms.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { Why } from '../contract/why.ts';

export type Environment = 'live' | 'test';

/** A price that is not named differs from nothing. */
export type Product = { readonly productId: string; readonly priceId: string | null };

/** A relationship is found by its store and the hash of the merchant's id. */
export type RelationshipKey = { readonly storeId: Id<'store'>; readonly relationshipHash: Buffer };

/** A subscription that was bound to a click. */
export type Relationship = RelationshipKey & {
  readonly bindingId: Id<'bind'>;
  /** What is answered as the event of the bind, also where another bind repeats it. */
  readonly bindEventId: Id<'evt'>;
  readonly relationshipId: string;
  readonly clickId: Id<'click'>;
  readonly claim: Claim;
  readonly firstBound: Product;
  /** What bills are compared with: the first bound, until a review accepts another. */
  readonly bound: Product;
  readonly boundAt: Date;
  readonly recordedAt: Date;
  readonly paidInvoices: number;
  /** Invoices that opened a commission above 0: these are what a rule's limit counts. */
  readonly earningInvoices: number;
  readonly life: Life;
  readonly hold: RelationshipHold | null;
};

/** Whom its invoices pay. Decided at the bind, for good. */
export type Claim =
  | {
      readonly environment: 'live';
      readonly programId: Id<'prog'>;
      readonly creatorId: Id<'crt'>;
      readonly linkNumber: bigint;
      /** Null: no rule fitted at the bind, so nothing is ever earned. */
      readonly plan: Plan | null;
    }
  | { readonly environment: 'test' };

/** The rule in force at the bind, with the terms it stood in: nothing later changes this copy. */
export type Plan = Pick<SubscriptionRule, 'rate' | 'maxInvoices' | 'maxMonths'> & TermsSettings & { readonly version: number };

export type Life =
  | { readonly state: 'active' }
  | {
      readonly state: 'ended';
      readonly recordedAt: Date;
      /** Null where the end carried no time of its own. */
      readonly occurredAt: Date | null;
      readonly reason: string | null;
    };

export const relationshipHoldReasons = ['product_mismatch', 'price_mismatch'] as const;
export type RelationshipHoldReason = (typeof relationshipHoldReasons)[number];

/** A review is open, beside the state: something else was billed than was bound. */
export type RelationshipHold = { readonly reason: RelationshipHoldReason; readonly since: Date; readonly billed: Product };

export type PaymentState = 'paid' | 'failed' | 'open' | 'void' | 'uncollectible';

export type InvoiceKey = { readonly storeId: Id<'store'>; readonly bindingId: Id<'bind'>; readonly invoiceHash: Buffer };

export type Invoice = InvoiceKey & {
  readonly relationshipInvoiceId: Id<'rinv'>;
  readonly invoiceId: string;
  readonly firstRecordedAt: Date;
  /** Whether it was first heard of when the relationship had ended already. */
  readonly isReportedAfterEnd: boolean;
  readonly standing: Unpaid | Paid;
  readonly reversal: InvoiceReversal | null;
};

export type Unpaid = { readonly state: Exclude<PaymentState, 'paid'> };

/** The first event that said `paid`. Nothing after it changes the invoice but a reversal or a review. */
export type Paid = {
  readonly state: 'paid';
  /** Its place among the payments of the relationship, in the order recorded. */
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
  /** For the review of its relationship. */
  | { readonly is: 'waits' }
  | { readonly is: 'nothing'; readonly because: NothingBecause };

export const nothingBecause = ['test', 'zero_commission', 'month_limit', 'invoice_limit', 'reversed_before', 'declined'] as const;
export type NothingBecause = (typeof nothingBecause)[number];

export type InvoiceReversal = { readonly eventId: Id<'evt'>; readonly at: Date; readonly reason: string | null };

/** A commission as it stands under its row's lock. */
export type StandingCommission = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly held: HoldReason | null;
  readonly amount: Cents;
};
