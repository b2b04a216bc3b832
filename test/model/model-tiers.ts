/** Tiers, implemented independently for the model of test/model/model.ts: from the list of all approvals, each time. */
import { hourMs, minuteMs } from '../../src/core/time.ts';
import type { Books, Commission } from './model-books.ts';
import type { Owner, Tiers } from './terms.ts';

/** Of a tier, with what was counted until the approval that reached it. */
export type Reached = { readonly number: number; readonly threshold: number; readonly figure: number; readonly reachedAt: number };

export type Counting = { readonly owner: Owner; readonly at: number; readonly tiers: Tiers };

export function tierAt({ commissions, tally }: Books, { owner, at, tiers }: Counting): Reached | null {
  const since = periodStart(tiers, at);
  const approved = commissions.flatMap((one) =>
    one.owner === owner && isCounted(one) && one.approvedAt !== null ? [{ time: one.approvedAt, worth: worthIn(tiers, one) }] : [],
  );
  const figureOf = (from: number, until: number): number =>
    approved.reduce((sum, { time, worth }) => sum + (time >= from && time <= until ? worth : 0), 0);
  const reachedIn = (from: number): number => tiers.tiers.filter(({ threshold }) => threshold <= figureOf(from, at)).length;
  const number = reachedIn(since);
  if (number < reachedIn(0)) tally(`tier of an earlier period: ${tiers.period}`);
  if (tiers.period === 'month' && number !== reachedIn(periodStart({ ...tiers, time_zone: 'UTC' }, at))) tally('tier by the time zone');
  if (number < reachedInAll(approved, tiers)) tally('tier reached after the order, or earlier');
  const tier = tiers.tiers[number - 1];
  if (tier === undefined) return null;
  const times = approved.map(({ time }) => time).filter((time) => time >= since && figureOf(since, time) >= tier.threshold);
  const reachedAt = Math.min(...times);
  return { number, threshold: tier.threshold, figure: figureOf(since, reachedAt), reachedAt };
}

type Approved = { readonly time: number; readonly worth: number };
const reachedInAll = (approved: readonly Approved[], { tiers }: Tiers): number => {
  const all = approved.reduce((sum, { worth }) => sum + worth, 0);
  return tiers.filter(({ threshold }) => threshold <= all).length;
};

/** Leads and bonuses are not counted, nor what was rejected or reversed since. */
const isCounted = ({ source, state }: Commission): boolean =>
  (source === 'order' || source === 'invoice') && ['approved', 'billed', 'paid'].includes(state);

const worthIn = ({ measure }: Tiers, { eligible, taken }: Commission): number =>
  measure === 'approved_commissions' ? 1 : eligible - taken;

const quarterMs = 15 * minuteMs;
const daysBefore = { month: 0, days_30: 29, days_90: 89 } as const;

/** The first quarter of an hour whose date in the time zone is the first one of the period. */
function periodStart({ period, time_zone: zone }: Pick<Tiers, 'period' | 'time_zone'>, at: number): number {
  const today = dateIn(zone, at);
  const first =
    period === 'month'
      ? `${today.slice(0, 8)}01`
      : new Date(Date.parse(`${today}T00:00:00Z`) - daysBefore[period] * 24 * hourMs).toISOString().slice(0, 10);
  let time = Date.parse(`${first}T00:00:00Z`) - 15 * hourMs;
  while (dateIn(zone, time) !== first) time += quarterMs;
  return time;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** As YYYY-MM-DD. */
function dateIn(zone: string, time: number): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  formats.set(zone, format);
  return format.format(time);
}
