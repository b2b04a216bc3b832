import type { Cents } from '../../api/parse-json.ts';
export type SimulationResult = {
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

export type SimulatedLine = { readonly product: string; readonly quantity: string; readonly amount: string };
export type SimulatedOrder = {
  readonly total: string;
  readonly lines: readonly SimulatedLine[];
  readonly orderedAt: string;
  readonly clickedAt: string;
};
