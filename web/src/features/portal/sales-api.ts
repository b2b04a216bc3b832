import type { CommissionState, HoldReason } from '../conversions/commissions-api.ts';
import { queryString } from '../../ui/search-params.ts';
import type { SaleFilter } from './creator-search.ts';
import type { Cents } from '../../api/parse-json.ts';

export type PaymentStatus =
  | 'paid'
  | 'nothing'
  | 'held'
  | 'in_payout'
  | 'next_payout'
  | 'reserve'
  | 'merchant_cannot_pay'
  | 'charge'
  | 'refund_hold'
  | 'bill'
  | 'approval';
export type PaymentStep = {
  readonly what: 'approved' | 'refund_hold_over' | 'billed' | 'charged' | 'reserve_over' | 'paid_out';
  readonly at: string | null;
};
export type SalePayment = {
  readonly word: PaymentStatus;
  readonly at: string | null;
  readonly steps: readonly PaymentStep[];
  readonly payout_id: string | null;
};

export type Sale = {
  readonly id: string;
  readonly state: CommissionState;
  readonly held: { readonly reason: HoldReason; readonly since: string } | null;
  readonly store_id: string;
  readonly store_name: string;
  readonly program_name: string;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
  readonly sub_id: string | null;
  readonly amount_cents: Cents;
  readonly eligible_cents: Cents;
  readonly rates: ReadonlyArray<{ readonly basis_points: number | null; readonly flat_cents: number | null }>;
  readonly occurred_at: string;
  readonly hold_until: string;
  readonly explanation: string;
  readonly pay: SalePayment;
};

export const salesPath = (creator: string, filter: SaleFilter, index: { readonly cursor?: string; readonly limit?: number }) =>
  `/creators/${creator}/commissions${queryString({ ...filter, ...index })}`;

export const salePath = (creator: string, sale: string) => `/creators/${creator}/commissions/${sale}`;

export const saleName = ({ order_id: order, invoice_id: invoice, id }: Sale): string => order ?? invoice ?? id;
