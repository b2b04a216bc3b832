/** An order in the store's own records. */
export type StoreOrder = {
  readonly line: number;
  readonly orderId: string;
  readonly clickId: string | null;
  /** Whether it names a discount code or a customer that could earn without a click. */
  readonly namesPartner: boolean;
  readonly subtotalCents: number;
  readonly isRefunded: boolean;
};

/** What the tracking log of the service contains about it. */
export type KnownOrder = {
  /** The recorded amount; null if its body was deleted. Without `recorded` the order never was recorded. */
  readonly recorded: { readonly subtotalCents: number | null } | null;
  readonly isReversed: boolean;
  /** The last rejections, while there was no success. */
  readonly refusal: { readonly reason: string; readonly why: string } | null;
  readonly reversalRefusal: string | null;
};

export type Finding =
  | { readonly is: 'matched' }
  /** Nothing to report: no creator brought the order. */
  | { readonly is: 'no_click' }
  | { readonly is: 'never_posted' }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'amount_differs'; readonly recordedCents: number }
  | { readonly is: 'refund_missing' }
  | { readonly is: 'refund_refused'; readonly why: string }
  /** Reversed in the service, and not refunded in the store's records. */
  | { readonly is: 'reversed_only_there' };

/** One finding per order: the first matching rule is the most urgent. */
export function decideReconcile(order: StoreOrder, known: KnownOrder | null): Finding {
  const recorded = known?.recorded ?? null;
  // A store that counts discount codes reports all its orders, and most of them come from no creator.
  if (recorded === null && order.clickId === null && known?.refusal?.reason === 'missing_referral_click') return { is: 'no_click' };
  if (recorded === null && known?.refusal) return { is: 'refused', why: known.refusal.why };
  if (recorded === null && order.clickId === null && !order.namesPartner) return { is: 'no_click' };
  // An order that was refunded before it was reported earned nothing, so it is not missing.
  if (recorded === null) return order.isRefunded ? { is: 'matched' } : { is: 'never_posted' };
  if (order.isRefunded && known?.reversalRefusal && !known.isReversed) return { is: 'refund_refused', why: known.reversalRefusal };
  if (order.isRefunded && known?.isReversed !== true) return { is: 'refund_missing' };
  if (!order.isRefunded && known?.isReversed === true) return { is: 'reversed_only_there' };
  const { subtotalCents } = recorded;
  if (subtotalCents !== null && subtotalCents !== order.subtotalCents) return { is: 'amount_differs', recordedCents: subtotalCents };
  return { is: 'matched' };
}
