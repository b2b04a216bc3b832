import type { Figures, Overview } from './overview-api.ts';

const dayMs = 86_400_000;
export const noFigures: Figures = {
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

export type DayFigures = Figures & { readonly day: string };

/** Every day of the range: the service leaves out those on which nothing happened, and a chart must not. */
export function everyDay({ from, to, days }: Pick<Overview, 'from' | 'to' | 'days'>): readonly DayFigures[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, place) => {
    const day = new Date(first + place * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, ...noFigures };
  });
}

const words = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Days of figures are those of UTC, wherever the viewer is: they must not be moved into another one. */
export const utcDay = (day: string): string => words.format(new Date(day));
