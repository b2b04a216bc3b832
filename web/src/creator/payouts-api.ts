import { listing } from '../parts/reading.ts';
import type { Page } from '../api.ts';
import type { Cents } from '../parts/amounts.ts';

export type Payout = {
  readonly id: string;
  readonly amount_cents: Cents;
  readonly state: 'awaiting_second' | 'sending' | 'unknown' | 'paid' | 'failed' | 'returned';
  readonly provider: 'sandbox' | 'stripe' | 'manual';
  readonly made_at: string;
  readonly sent_at: string | null;
  readonly ended_at: string | null;
  readonly returned_at: string | null;
  readonly reference: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
};

export type PayoutLine = {
  readonly commission_id: string;
  readonly store_name: string;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
  readonly occurred_at: string;
  readonly amount_cents: Cents;
};
export type WholePayout = Payout & { readonly lines: Page<PayoutLine> };

export const payoutsPath = (creator: string) => `/creators/${creator}/payouts`;
export const payoutPath = (creator: string, payout: string) => `${payoutsPath(creator)}/${payout}`;
export const payoutList = (creator: string) => listing<Payout>(payoutsPath(creator));
