import { useQuery } from '@tanstack/react-query';
import { type Cents, dollarsOf, percentOf } from '../parts/amounts.ts';
import { countOf } from '../parts/count-of.ts';
import { Figure, Figures } from '../parts/figures.tsx';
import { TextLink } from '../parts/links.tsx';
import { Section } from '../parts/page.tsx';
import { localDay } from '../parts/time.tsx';
import { billingReading, isEarly } from './billing-api.ts';
import type { Overview } from './overview-api.ts';
import styles from './overview.module.css';

type OverviewFiguresProps = { readonly store: string; readonly totals: Overview['totals'] };

/** The figures of the range, and beside them the next charge, which is of no range. */
export function OverviewFigures({ store, totals }: OverviewFiguresProps) {
  const rate = totals.effective_rate_basis_points;
  return (
    <Figures>
      <Figure
        name="Attributed revenue"
        value={<Usd cents={totals.revenue_cents} />}
        about={countOf(totals.orders, 'order', 'orders and invoices')}
      />
      <Figure name="Earned" value={<Usd cents={totals.earned_cents} />} about="by creators, without rejected and reversed" />
      <Figure name="Effective rate" value={rate === null ? 'none' : percentOf(rate)} about="recorded commissions of the revenue" />
      <Figure name="Refunded" value={<Usd cents={totals.refunded_cents} />} about={countOf(totals.refunds, 'refund')} />
      <NextCharge store={store} />
    </Figures>
  );
}

const Usd = ({ cents }: { readonly cents: Cents }) => (
  <>
    {dollarsOf(cents)} <small>USD</small>
  </>
);

function NextCharge({ store }: { readonly store: string }) {
  const next = useQuery(billingReading(store));
  const way = (label: string) => <TextLink to="/stores/$store/billing" params={{ store }} children={label} />;
  if (next.isPending) return <Figure name="Next charge" value={<span data-waiting>…</span>} about="is being added up" />;
  if (next.isError) return <Figure name="Next charge" value="unknown" about={way('Open billing')} />;
  const { total_cents: total, next_charge_at: at, is_carried_on: carried } = next.data;
  return (
    <Figure
      name="Next charge"
      value={<Usd cents={carried === null ? total : 0} />}
      about={way(
        isEarly(next.data)
          ? 'billed within a day'
          : carried === null
            ? `on ${localDay(at)}`
            : total === 0
              ? 'nothing is due yet'
              : `${dollarsOf(total)} USD are carried on`,
      )}
    />
  );
}

const steps = [
  { name: 'Clicks', of: (totals: Overview['totals']) => totals.clicks, share: null },
  { name: 'Orders', of: (totals: Overview['totals']) => totals.orders, share: 'clicks' },
  { name: 'Approved', of: (totals: Overview['totals']) => totals.approved, share: 'orders' },
  { name: 'Paid to creators', of: (totals: Overview['totals']) => totals.paid, share: 'approved' },
] as const;

/** From the click to the creator's money. */
export function OverviewFunnel({ totals }: { readonly totals: Overview['totals'] }) {
  const most = Math.max(1, ...steps.map(({ of }) => of(totals)));
  return (
    <Section
      title="From click to paid"
      intro="Each is counted on the day it happened: what is approved or paid today may have been clicked weeks ago."
    >
      <ol className={styles.funnel}>
        {steps.map(({ name, of, share }, place) => {
          const before = steps[place - 1]?.of(totals) ?? 0;
          return (
            <li key={name}>
              <span>{name}</span>
              <strong>{of(totals).toLocaleString('en-GB')}</strong>
              <span className={styles.quiet}>
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
        <p className={styles.quiet}>
          {totals.filtered_arrivals.toLocaleString('en-GB')} more arrivals were bots, previews and the like, and are not counted as clicks.
        </p>
      )}
    </Section>
  );
}

const shareOf = (part: number, whole: number): string => percentOf(Math.round((part * 10_000) / whole));
