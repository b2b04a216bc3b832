import type { Goal } from './goals.ts';

/** `2026-11`, in UTC. */
export const monthName = (at: Date): string => at.toISOString().slice(0, 7);

/** The month with this name. Null for the empty name of a goal that is reached in all. */
export function monthOf(name: string): { readonly from: Date; readonly until: Date } | null {
  if (name === '') return null;
  const from = new Date(`${name}-01T00:00:00.000Z`);
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + 1);
  return { from, until };
}

/** The names of the periods of a goal that are decided in a run: the present month and the one before, or all. */
export function goalMonthsAt({ period }: Pick<Goal, 'period'>, now: Date): readonly string[] {
  if (period === 'total') return [''];
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  return [monthName(before), monthName(now)];
}
