import { apiQuery } from '../../ui/queries.ts';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import type { StoreOverview } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';

export type DailyTotals = Omit<StoreOverview['days'][number], 'day'>;
export type TopCreator = StoreOverview['top_creators'][number];

export const defaultRange = '30d';

/** A date range takes precedence over a number of days, written `90d`; without either the default applies. */
export const overviewQuery = (store: string, { last = defaultRange, from, to }: OverviewSearch) =>
  apiQuery(apiPath('/stores/{store}/overview', { store }, from === undefined ? { days: last.replace(/d$/, ''), to } : { from, to }));
