import { apiListQuery, apiQuery } from '../../ui/queries.ts';

export type ProgramSettings = {
  readonly attribution_days: number;
  readonly hold_days: number;
  readonly approval: 'manual' | 'auto';
  readonly auto_approve_days: number | null;
};

export type Program = ProgramSettings & {
  readonly id: string;
  readonly name: string;
  readonly landing_url: string;
  readonly status: 'draft' | 'published' | 'paused';
  readonly first_published_at: string | null;
  readonly created_at: string;
};

export type OrderRule = { readonly product_id: string | null; readonly basis_points: number | null; readonly flat_cents: number | null };
export type SubscriptionRule = OrderRule & {
  readonly price_id: string | null;
  readonly max_invoices: number | null;
  readonly max_months: number | null;
};

export type Terms = ProgramSettings & {
  readonly version: number;
  readonly effective_from: string;
  readonly made_at: string;
  readonly pays: 'order' | 'product';
  readonly order_rules: readonly OrderRule[];
  readonly subscription_rules: readonly SubscriptionRule[];
};

export const programsPath = (store: string) => `/stores/${store}/programs`;
export const programPath = (store: string, program: string) => `${programsPath(store)}/${program}`;

export const programsQuery = (store: string) => apiListQuery<Program>(programsPath(store));
export const programQuery = (store: string, program: string) => apiQuery<Program>(programPath(store, program));
export const termsQuery = (store: string, program: string) => apiListQuery<Terms>(`${programPath(store, program)}/terms`);
