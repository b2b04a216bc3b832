import { listing, reading } from '../parts/reading.ts';

export type Settings = {
  readonly attribution_days: number;
  readonly hold_days: number;
  readonly approval: 'manual' | 'auto';
  readonly auto_approve_days: number | null;
};

export type Program = Settings & {
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

export type Terms = Settings & {
  readonly version: number;
  readonly effective_from: string;
  readonly made_at: string;
  readonly pays: 'order' | 'product';
  readonly order_rules: readonly OrderRule[];
  readonly subscription_rules: readonly SubscriptionRule[];
};

export const programsPath = (store: string) => `/stores/${store}/programs`;
export const programPath = (store: string, program: string) => `${programsPath(store)}/${program}`;

export const programList = (store: string) => listing<Program>(programsPath(store));
export const programReading = (store: string, program: string) => reading<Program>(programPath(store, program));
export const termsList = (store: string, program: string) => listing<Terms>(`${programPath(store, program)}/terms`);
