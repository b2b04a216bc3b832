import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { periodQuery } from '../../ui/period.ts';
import { apiQuery } from '../../ui/queries.ts';
import type { OverviewSearch } from '../stores/store-search-params.ts';

export type DailyTotals = Omit<StoreOverview['days'][number], 'day'>;

export const comparisonOf = ({ compare }: OverviewSearch) => (compare === 'year' ? 'previous_year' : 'previous_period');

export const overviewQuery = (store: string, search: OverviewSearch) =>
  apiQuery(apiPath('/stores/{store}/overview', { store }, { ...periodQuery(search), compare: comparisonOf(search) }));
