import { apiListQuery } from '../../ui/queries.ts';
import type { Page } from '../../api/client.ts';
import type { Cents } from '../../api/parse-json.ts';

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
export type PayoutDetails = Payout & { readonly lines: Page<PayoutLine> };

export const creatorPayoutsPath = (creator: string) => `/creators/${creator}/payouts`;
export const creatorPayoutPath = (creator: string, payout: string) => `${creatorPayoutsPath(creator)}/${payout}`;
export const creatorPayoutsQuery = (creator: string) => apiListQuery<Payout>(creatorPayoutsPath(creator));
