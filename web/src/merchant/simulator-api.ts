import type { Cents } from '../parts/amounts.ts';
export type Simulated = {
  readonly status: number;
  readonly reason: string;
  readonly explanation: string;
  readonly commission_cents: Cents | null;
  readonly eligible_cents: Cents | null;
  readonly earned: ReadonlyArray<{
    readonly product_id: string | null;
    readonly of_cents: number;
    readonly quantity: number;
    readonly basis_points: number | null;
    readonly flat_cents: number | null;
    readonly amount_cents: Cents;
  }>;
  readonly terms_version: number | null;
  readonly approves_itself_at: string | null;
};

export type TriedLine = { readonly product: string; readonly quantity: string; readonly amount: string };
export type TriedOrder = {
  readonly total: string;
  readonly lines: readonly TriedLine[];
  readonly orderedAt: string;
  readonly clickedAt: string;
};
