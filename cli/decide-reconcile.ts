/** An order as the shop's own books have it. */
export type ShopOrder = {
  readonly line: number;
  readonly orderId: string;
  readonly clickId: string | null;
  readonly subtotalCents: number;
  readonly isRefunded: boolean;
};

/** What the service's tracking log says of it. */
export type KnownOrder = {
  /** The amount that was recorded; null where its body is not kept any more. Without `recorded` it never was. */
  readonly recorded: { readonly subtotalCents: number | null } | null;
  readonly isReversed: boolean;
  /** The last refusals, while there was no success. */
  readonly refusal: string | null;
  readonly reversalRefusal: string | null;
};

export type Finding =
  | { readonly is: 'matched' }
  /** Nothing to report: it came by no click. */
  | { readonly is: 'no_click' }
  | { readonly is: 'never_posted' }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'amount_differs'; readonly recordedCents: number }
  | { readonly is: 'refund_missing' }
  | { readonly is: 'refund_refused'; readonly why: string }
  /** Reversed there, and not refunded in the shop's books. */
  | { readonly is: 'reversed_only_there' };

/** One finding an order: the first that applies is what must be dealt with first. */
export function decideReconcile(order: ShopOrder, known: KnownOrder | null): Finding {
  const recorded = known?.recorded ?? null;
  if (recorded === null && known?.refusal) return { is: 'refused', why: known.refusal };
  if (recorded === null && order.clickId === null) return { is: 'no_click' };
  // What was refunded before it was reported earned nothing, and nobody misses it.
  if (recorded === null) return order.isRefunded ? { is: 'matched' } : { is: 'never_posted' };
  if (order.isRefunded && known?.reversalRefusal && !known.isReversed) return { is: 'refund_refused', why: known.reversalRefusal };
  if (order.isRefunded && known?.isReversed !== true) return { is: 'refund_missing' };
  if (!order.isRefunded && known?.isReversed === true) return { is: 'reversed_only_there' };
  const { subtotalCents } = recorded;
  if (subtotalCents !== null && subtotalCents !== order.subtotalCents) return { is: 'amount_differs', recordedCents: subtotalCents };
  return { is: 'matched' };
}
