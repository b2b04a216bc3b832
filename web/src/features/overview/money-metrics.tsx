import { useQuery } from '@tanstack/react-query';
import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { Comparison, type ComparisonKind } from '../../ui/comparison.tsx';
import { formatDollars, formatPercent, formatUsd } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Metric } from '../../ui/metric.tsx';
import { Stats } from '../../ui/stats.tsx';
import { formatDay } from '../../ui/time.tsx';
import { isInvoicedEarly, nextChargeQuery } from '../billing/billing-api.ts';
import { fillDays } from './fill-days.ts';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';
import { conversionRate, owedByDay } from './range-metrics.ts';

type MoneyMetricsProps = { readonly store: string; readonly overview: StoreOverview };

/** Money first: what creators sold, what they earned and are owed, and the traffic that led to it. */
export function MoneyMetrics({ store, overview }: MoneyMetricsProps) {
  const { totals, compared } = overview;
  const days = fillDays(overview);
  const before = compared?.totals;
  const rate = totals.effective_rate_basis_points;
  const compare = (kind: ComparisonKind, now: Cents | null, earlier: Cents | null | undefined) => (
    <Comparison kind={kind} now={now} before={earlier ?? null} isComplete={compared?.is_complete ?? false} />
  );
  const conversion = conversionRate(totals);
  return (
    <Stats label={t.money_metrics.key_metrics}>
      <Metric
        name={t.money_metrics.revenue_from_creators}
        value={<Usd cents={totals.revenue_cents} />}
        comparison={compare('money', totals.revenue_cents, before?.revenue_cents)}
        detail={t.money_metrics.refunded({ cents: totals.refunded_cents })}
        values={days.map((day) => Number(day.revenue_cents))}
      />
      <Metric
        name={t.money_metrics.commissions}
        value={<Usd cents={totals.earned_cents} />}
        comparison={compare('money', totals.earned_cents, before?.earned_cents)}
        detail={rate === null ? t.money_metrics.excluding_rejected : t.money_metrics.rate_of_revenue({ rate: formatPercent(rate) })}
        values={days.map((day) => Number(day.earned_cents))}
      />
      <Metric
        name={t.money_metrics.owed_to_creators}
        value={<Usd cents={overview.owed_cents} />}
        comparison={compare('money', overview.owed_cents, compared?.owed_cents)}
        detail={<NextCharge store={store} />}
        values={owedByDay(overview.owed_cents, days)}
      />
      <Metric
        name={t.money_metrics.clicks}
        value={formats.number(totals.clicks)}
        comparison={compare('count', totals.clicks, before?.clicks)}
        values={days.map(({ clicks }) => clicks)}
      />
      <Metric
        name={t.money_metrics.orders}
        value={formats.number(totals.orders)}
        comparison={compare('count', totals.orders, before?.orders)}
        detail={t.money_metrics.with_subscription_invoices}
        values={days.map(({ orders }) => orders)}
      />
      <Metric
        name={t.money_metrics.conversion_rate}
        value={conversion === null ? t.money_metrics.no_clicks : formatPercent(conversion)}
        comparison={compare('rate', conversion, before && conversionRate(before))}
        detail={t.money_metrics.orders_per_click}
        values={days.map((day) => conversionRate(day) ?? 0)}
      />
    </Stats>
  );
}

const Usd = ({ cents }: { readonly cents: Cents }) => (
  <>
    {formatDollars(cents)} <small>{t.money_metrics.usd}</small>
  </>
);

/** When the store pays next; it does not depend on the period. */
function NextCharge({ store }: { readonly store: string }) {
  const next = useQuery(nextChargeQuery(store));
  const link = (label: string) => <TextLink to="/stores/$store/billing" params={{ store }} children={label} />;
  if (next.isPending) return <span data-pending>{t.money_metrics.calculating}</span>;
  if (next.isError) return link(t.money_metrics.open_billing);
  const { total_cents: total, next_charge_at: at, is_carried_on: carried } = next.data;
  if (isInvoicedEarly(next.data)) return link(t.money_metrics.invoiced_within_a_day({ amount: formatUsd(total) }));
  if (carried === null) return link(t.money_metrics.next_charge_on({ amount: formatUsd(total), day: formatDay(at) }));
  return link(total === 0 ? t.money_metrics.nothing_due_yet : t.money_metrics.carried_over({ amount: formatUsd(total) }));
}
