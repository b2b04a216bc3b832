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

type OverviewStatsProps = { readonly store: string; readonly totals: StoreOverview['totals'] };

/** The totals of the range, and the next charge, which does not depend on the range. */
export function OverviewStats({ store, totals }: OverviewStatsProps) {
  const rate = totals.effective_rate_basis_points;
  return (
    <Stats>
      <Stat
        name="Attributed revenue"
        value={<Usd cents={totals.revenue_cents} />}
        detail={formatCount(totals.orders, 'order', 'orders and invoices')}
      />
      <Stat name="Earned" value={<Usd cents={totals.earned_cents} />} detail="by creators, without rejected and reversed" />
      <Stat name="Effective rate" value={rate === null ? 'none' : formatPercent(rate)} detail="recorded commissions of the revenue" />
      <Stat name="Refunded" value={<Usd cents={totals.refunded_cents} />} detail={formatCount(totals.refunds, 'refund')} />
      <NextChargeStat store={store} />
    </Stats>
  );
}

const Usd = ({ cents }: { readonly cents: Cents }) => (
  <>
    {formatDollars(cents)} <small>USD</small>
  </>
);

function NextChargeStat({ store }: { readonly store: string }) {
  const next = useQuery(nextChargeQuery(store));
  const billingLink = (label: string) => <TextLink to="/stores/$store/billing" params={{ store }} children={label} />;
  if (next.isPending) return <Stat name="Next charge" value={<span data-pending>…</span>} detail="is being added up" />;
  if (next.isError) return <Stat name="Next charge" value="unknown" detail={billingLink('Open billing')} />;
  const { total_cents: total, next_charge_at: at, is_carried_on: carried } = next.data;
  return (
    <Stat
      name="Next charge"
      value={<Usd cents={carried === null ? total : 0} />}
      detail={billingLink(
        isInvoicedEarly(next.data)
          ? 'billed within a day'
          : carried === null
            ? `on ${formatDay(at)}`
            : total === 0
              ? 'nothing is due yet'
              : `${formatDollars(total)} USD are carried on`,
      )}
    />
  );
}

const steps = [
  { name: 'Clicks', of: (totals: StoreOverview['totals']) => totals.clicks, share: null },
  { name: 'Orders', of: (totals: StoreOverview['totals']) => totals.orders, share: 'clicks' },
  { name: 'Approved', of: (totals: StoreOverview['totals']) => totals.approved, share: 'orders' },
  { name: 'Paid to creators', of: (totals: StoreOverview['totals']) => totals.paid, share: 'approved' },
] as const;

/** The funnel from click to payout. */
export function OverviewFunnel({ totals }: { readonly totals: StoreOverview['totals'] }) {
  const most = Math.max(1, ...steps.map(({ of }) => of(totals)));
  return (
    <Section
      title="From click to paid"
      intro="Each is counted on the day it happened: what is approved or paid today may have been clicked weeks ago."
    >
      <ol className={styles.funnel}>
        {steps.map(({ name, of, share }, index) => {
          const before = steps[index - 1]?.of(totals) ?? 0;
          return (
            <li key={name}>
              <span>{name}</span>
              <strong>{of(totals).toLocaleString('en-GB')}</strong>
              <span className={styles.muted}>
                {share !== null && before > 0 && of(totals) <= before && `${shareOf(of(totals), before)} of ${share}`}
              </span>
              <span className={styles.track} aria-hidden="true">
                <span className={styles.bar} data-some={of(totals) > 0 || undefined} style={{ width: `${(of(totals) / most) * 100}%` }} />
              </span>
            </li>
          );
        })}
      </ol>
      {totals.filtered_arrivals > 0 && (
        <p className={styles.muted}>
          {totals.filtered_arrivals.toLocaleString('en-GB')} more arrivals were bots, previews and the like, and are not counted as clicks.
        </p>
      )}
    </Section>
  );
}

const shareOf = (part: number, whole: number): string => formatPercent(Math.round((part * 10_000) / whole));
