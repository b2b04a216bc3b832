import { useQuery } from '@tanstack/react-query';
import type { Cents } from '../../api/parse-json.ts';
import type { StoreOverview } from '../../api/api-schema.ts';
import { formatDollars, formatPercent, formatCount } from '../../ui/format.ts';
import { Stat, Stats } from '../../ui/stats.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { formatDay } from '../../ui/time.tsx';
import { nextChargeQuery, isInvoicedEarly } from '../billing/billing-api.ts';
import styles from './overview.module.css';
import { t } from './messages.ts';

type OverviewStatsProps = { readonly store: string; readonly totals: StoreOverview['totals'] };

/** The totals of the range, and the next charge, which does not depend on the range. */
export function OverviewStats({ store, totals }: OverviewStatsProps) {
  const rate = totals.effective_rate_basis_points;
  return (
    <Stats>
      <Stat
        name={t.overview_stats.attributed_revenue}
        value={<Usd cents={totals.revenue_cents} />}
        detail={formatCount(totals.orders, 'order', t.overview_stats.orders_and_subscription_invoices)}
      />
      <Stat
        name={t.overview_stats.commissions}
        value={<Usd cents={totals.earned_cents} />}
        detail={t.overview_stats.earned_by_creators_excluding_rejec}
      />
      <Stat
        name={t.overview_stats.effective_rate}
        value={rate === null ? 'none' : formatPercent(rate)}
        detail={t.overview_stats.commissions_as_a_share_of}
      />
      <Stat name={t.overview_stats.refunded} value={<Usd cents={totals.refunded_cents} />} detail={formatCount(totals.refunds, 'refund')} />
      <NextChargeStat store={store} />
    </Stats>
  );
}

const Usd = ({ cents }: { readonly cents: Cents }) => (
  <>
    {formatDollars(cents)} <small>{t.overview_stats.usd}</small>
  </>
);

function NextChargeStat({ store }: { readonly store: string }) {
  const next = useQuery(nextChargeQuery(store));
  const billingLink = (label: string) => <TextLink to="/stores/$store/billing" params={{ store }} children={label} />;
  if (next.isPending)
    return <Stat name={t.overview_stats.next_charge} value={<span data-pending>…</span>} detail={t.overview_stats.calculating} />;
  if (next.isError) return <Stat name={t.overview_stats.next_charge} value="unknown" detail={billingLink(t.overview_stats.open_billing)} />;
  const { total_cents: total, next_charge_at: at, is_carried_on: carried } = next.data;
  return (
    <Stat
      name={t.overview_stats.next_charge}
      value={<Usd cents={carried === null ? total : 0} />}
      detail={billingLink(
        isInvoicedEarly(next.data)
          ? t.overview_stats.invoiced_within_a_day
          : carried === null
            ? t.overview_stats.on({ at: formatDay(at) })
            : total === 0
              ? t.overview_stats.nothing_due_yet
              : t.overview_stats.usd_carried_over({ total: formatDollars(total) }),
      )}
    />
  );
}

const steps = [
  { name: t.overview_stats.clicks, of: (totals: StoreOverview['totals']) => totals.clicks, share: null },
  { name: t.overview_stats.orders, of: (totals: StoreOverview['totals']) => totals.orders, share: 'clicks' },
  { name: t.overview_stats.approved, of: (totals: StoreOverview['totals']) => totals.approved, share: 'orders' },
  { name: t.overview_stats.paid_to_creators, of: (totals: StoreOverview['totals']) => totals.paid, share: 'approved' },
] as const;

/** The funnel from click to payout. */
export function OverviewFunnel({ totals }: { readonly totals: StoreOverview['totals'] }) {
  const most = Math.max(1, ...steps.map(({ of }) => of(totals)));
  return (
    <Section title={t.overview_stats.funnel} intro={t.overview_stats.each_event_counts_on_the}>
      <ol className={styles.funnel}>
        {steps.map(({ name, of, share }, index) => {
          const before = steps[index - 1]?.of(totals) ?? 0;
          return (
            <li key={name}>
              <span>{name}</span>
              <strong>{of(totals).toLocaleString('en-GB')}</strong>
              <span className={styles.muted}>
                {share !== null &&
                  before > 0 &&
                  of(totals) <= before &&
                  t.overview_stats.of({ totals: shareOf(of(totals), before), share })}
              </span>
              <span className={styles.track} aria-hidden="true">
                <span className={styles.bar} data-some={of(totals) > 0 || undefined} style={{ width: `${(of(totals) / most) * 100}%` }} />
              </span>
            </li>
          );
        })}
      </ol>
      {totals.filtered_arrivals > 0 && (
        <p className={styles.muted}>{t.overview_stats.more_visits_were_from_bots({ filteredArrivals: totals.filtered_arrivals })}</p>
      )}
    </Section>
  );
}

const shareOf = (part: number, whole: number): string => formatPercent(Math.round((part * 10_000) / whole));
