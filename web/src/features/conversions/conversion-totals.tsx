import { formatDollars } from '../../ui/amounts.ts';
import { ListTotals } from '../../ui/list-totals.tsx';
import { totalsPath, type CommissionTotals } from './commissions-api.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';

export const ConversionTotals = ({ store, filter }: { readonly store: string; readonly filter: ConversionFilter }) => (
  <ListTotals<CommissionTotals> path={totalsPath(store, filter)} one="conversion" more="conversions" beside={totalsText} />
);

const totalsText = ({ amount_cents: amount, eligible_cents: eligible, earned_cents: earned, has_more: hasMore }: CommissionTotals) => (
  <span>
    {hasMore && 'more than '}
    {formatDollars(amount)} USD commission on {formatDollars(eligible)} USD, of it {formatDollars(earned)} USD earned
  </span>
);
