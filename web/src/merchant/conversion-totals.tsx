import { dollarsOf } from '../parts/amounts.ts';
import { ListTotals } from '../parts/list-totals.tsx';
import { totalsPath, type Totals } from './commissions-api.ts';
import type { ConversionFilter } from './list-search.ts';

export const ConversionTotals = ({ store, filter }: { readonly store: string; readonly filter: ConversionFilter }) => (
  <ListTotals<Totals> path={totalsPath(store, filter)} one="conversion" more="conversions" beside={moneyOf} />
);

const moneyOf = ({ amount_cents: amount, eligible_cents: eligible, earned_cents: earned, has_more: hasMore }: Totals) => (
  <span>
    {hasMore && 'more than '}
    {dollarsOf(amount)} USD commission on {dollarsOf(eligible)} USD, of it {dollarsOf(earned)} USD earned
  </span>
);
