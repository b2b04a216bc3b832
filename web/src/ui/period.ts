/** A period as in the URL: `last` names a preset, which the service resolves with its own clock; `from` and `to` take precedence. */
export type PeriodSearch = { readonly last?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined };

export const defaultPeriod = '30d';
export const periodPresets = ['7d', '30d', '90d', 'mtd', '365d'] as const;

export type PeriodQuery = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly days?: string | undefined;
  readonly period?: 'month_to_date' | undefined;
};

/** The query parameters of a period. Without a preset or days the default applies. */
export function periodQuery({ last = defaultPeriod, from, to }: PeriodSearch): PeriodQuery {
  if (from !== undefined) return { from, to };
  return last === 'mtd' ? { period: 'month_to_date', to } : { days: last.replace(/d$/, ''), to };
}
