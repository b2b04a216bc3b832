export type SimulatedLine = { readonly product: string; readonly quantity: string; readonly amount: string };
export type SimulatedOrder = {
  readonly total: string;
  readonly lines: readonly SimulatedLine[];
  readonly orderedAt: string;
  readonly clickedAt: string;
  readonly hasClick: boolean;
  readonly discountCode: string;
  readonly country: string;
  /** When another creator brought the customer; empty: the customer is new. */
  readonly firstOrderAt: string;
};
