/** A refund of an order. Amounts are cents of the shop's currency. */
export type ShopifyRefund = {
  readonly id: string;
  readonly at: Date;
  /** The amount that was paid back: 0 if goods were only restocked. */
  readonly paidBack: number;
  /** The sum of the refunded lines after discounts; with tax if prices include it. */
  readonly lines: number;
  readonly linesTax: number;
  readonly shipping: number;
  readonly shippingTax: number;
};

/** An order as it is now. Nothing in it names the customer. */
export type ShopifyOrder = {
  readonly id: string;
  readonly name: string | null;
  readonly isTest: boolean;
  readonly currency: string;
  readonly isPaid: boolean;
  readonly isRefundedWhole: boolean;
  readonly processedAt: Date;
  readonly cancelledAt: Date | null;
  readonly taxesIncluded: boolean;
  /** The sum of the lines after discounts and before refunds; with tax if prices include it. */
  readonly subtotal: number;
  readonly tax: number;
  readonly shippingTax: number;
  readonly total: number;
  readonly codes: readonly string[];
  /** The click ID of the cart, which express checkouts drop. */
  readonly cartClick: string | null;
  /** The click ID of a line, which "Buy it now" keeps. */
  readonly lineClick: string | null;
  readonly refunds: readonly ShopifyRefund[];
};

/** What a browser said about a completed checkout. */
export type PostedClick = { readonly clickId: string; readonly isDisputed: boolean; readonly postedAt: Date };
