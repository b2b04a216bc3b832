import type { StoreOverview } from '../../api/api-schema.ts';
import type { DailyTotals } from './overview-api.ts';

const dayMs = 86_400_000;
export const zeroTotals: DailyTotals = {
  clicks: 0,
  filtered_arrivals: 0,
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

/** Every day of the range: the service leaves out days without events, and a chart must not. */
export function fillDays({ from, to, days }: Pick<StoreOverview, 'from' | 'to' | 'days'>): readonly DayTotals[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, index) => {
    const day = new Date(first + index * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, ...zeroTotals };
  });
}
