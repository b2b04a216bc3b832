import type { StoreOverview } from '../../api/api-schema.ts';
import { formatPercent } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import styles from './overview.module.css';
import { t } from './messages.ts';

const steps = [
  { name: t.overview_funnel.clicks, of: (totals: StoreOverview['totals']) => totals.clicks, share: null },
  { name: t.overview_funnel.orders, of: (totals: StoreOverview['totals']) => totals.orders, share: 'clicks' },
  { name: t.overview_funnel.approved, of: (totals: StoreOverview['totals']) => totals.approved, share: 'orders' },
  { name: t.overview_funnel.paid_to_creators, of: (totals: StoreOverview['totals']) => totals.paid, share: 'approved' },
] as const;

/** The funnel from click to payout. */
export function OverviewFunnel({ totals }: { readonly totals: StoreOverview['totals'] }) {
  const most = Math.max(1, ...steps.map(({ of }) => of(totals)));
  return (
    <Section title={t.overview_funnel.funnel} intro={t.overview_funnel.each_event_counts_on_the}>
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
                  t.overview_funnel.of({ totals: shareOf(of(totals), before), share })}
              </span>
              <span className={styles.track} aria-hidden="true">
                <span className={styles.bar} data-some={of(totals) > 0 || undefined} style={{ width: `${(of(totals) / most) * 100}%` }} />
              </span>
            </li>
          );
        })}
      </ol>
      {totals.filtered_arrivals > 0 && (
        <p className={styles.muted}>{t.overview_funnel.more_visits_were_from_bots({ filteredArrivals: totals.filtered_arrivals })}</p>
      )}
    </Section>
  );
}

const shareOf = (part: number, whole: number): string => formatPercent(Math.round((part * 10_000) / whole));
