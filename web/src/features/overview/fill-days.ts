import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
import { everyDay } from '../../ui/every-day.ts';
import type { DailyTotals } from './overview-api.ts';

export const zeroTotals: DailyTotals = {
  clicks: 0,
  filtered_arrivals: 0,
  leads: 0,
  orders: 0,
  revenue_cents: 0,
  commission_cents: 0,
  earned_cents: 0,
  refunds: 0,
  refunded_cents: 0,
  approved: 0,
  approved_cents: 0,
  paid: 0,
  paid_cents: 0,
};

export type DayTotals = DailyTotals & { readonly day: string };

export const fillDays = (range: Pick<StoreOverview, 'from' | 'to' | 'days'>): readonly DayTotals[] =>
  everyDay<DailyTotals>(range, zeroTotals);
