import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
import { formatPercent } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import styles from './overview.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

type Totals = StoreOverview['totals'];
type Step = {
  readonly name: string;
  readonly of: keyof Totals & ('clicks' | 'leads' | 'orders' | 'approved' | 'paid');
  readonly share: Step['of'] | null;
};

const steps: readonly Step[] = [
  { name: t.overview_funnel.clicks, of: 'clicks', share: null },
  { name: t.overview_funnel.leads, of: 'leads', share: 'clicks' },
  { name: t.overview_funnel.orders, of: 'orders', share: 'clicks' },
  { name: t.overview_funnel.approved, of: 'approved', share: 'orders' },
  { name: t.overview_funnel.paid_to_creators, of: 'paid', share: 'approved' },
];

/** Leads are a step only in a store that reports them. */
const stepsOf = ({ leads }: Totals): readonly Step[] => steps.filter(({ of }) => of !== 'leads' || leads > 0);

/** The funnel from click to payout. */
export function OverviewFunnel({ totals }: { readonly totals: Totals }) {
  const shown = stepsOf(totals);
  const most = Math.max(1, ...shown.map(({ of }) => totals[of]));
  return (
    <Section title={t.overview_funnel.funnel} intro={t.overview_funnel.each_event_counts_on_the}>
      <ol className={styles.funnel}>
        {shown.map(({ name, of, share }) => {
          const before = share === null ? 0 : totals[share];
          return (
            <li key={name}>
              <span>{name}</span>
              <strong>{formats.number(totals[of])}</strong>
              <span className={styles.muted}>
                {share !== null &&
                  before > 0 &&
                  totals[of] <= before &&
                  t.overview_funnel.of({ totals: shareOf(totals[of], before), share })}
              </span>
              <span className={styles.track} aria-hidden="true">
                <span className={styles.bar} data-some={totals[of] > 0 || undefined} style={{ width: `${(totals[of] / most) * 100}%` }} />
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
