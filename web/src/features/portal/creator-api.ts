import { useRouteContext } from '@tanstack/react-router';
import { apiQuery, apiListQuery } from '../../ui/queries.ts';
import type { Balance, CreatorResults, Membership } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { everyDay } from '../../ui/every-day.ts';
import { periodQuery } from '../../ui/period.ts';
import type { CreatorHomeSearch } from './creator-search.ts';

export type MemberStatus = Membership['status'];

/** The creator area renders its pages for creators only. */
export function useCreatorId(): string {
  const { session } = useRouteContext({ from: '/signed-in' });
  return session.creator_id ?? '';
}

export const creatorQuery = (creator: string) => apiQuery(apiPath('/creators/{creator}', { creator }));
export const balanceQuery = (creator: string) => apiQuery(apiPath('/creators/{creator}/balance', { creator }));
export const membershipsPath = (creator: string) => apiPath('/creators/{creator}/memberships', { creator });
export const membershipsQuery = (creator: string) => apiListQuery(membershipsPath(creator));
export const programOption = ({ program_id: id, program_name: name, store_name: store }: Membership) => [id, `${name}, ${store}`] as const;
export const payoutMethodQuery = (creator: string) => apiQuery(apiPath('/creators/{creator}/payout-method', { creator }));
type ResultsRange = Pick<CreatorResults, 'from' | 'to' | 'days'>;
type ResultTotals = CreatorResults['totals'];
const noResults: ResultTotals = { clicks: 0, leads: 0, orders: 0, revenue_cents: 0, earned_cents: 0 };
export const resultDays = (range: ResultsRange) => everyDay<ResultTotals>(range, noResults);

export const resultsQuery = (creator: string, search: CreatorHomeSearch) =>
  apiQuery(apiPath('/creators/{creator}/results', { creator }, { ...periodQuery(search), compare: 'previous_period', link: search.link }));
export const productResultsQuery = (creator: string, search: CreatorHomeSearch) =>
  apiQuery(apiPath('/creators/{creator}/product-results', { creator }, { ...periodQuery(search), link: search.link }));
export const refusedOrderTotalsQuery = (creator: string) => apiQuery(apiPath('/creators/{creator}/refused-orders/totals', { creator }));
export const creatorLinksPath = (creator: string) => apiPath('/creators/{creator}/links', { creator });
export const subIdsPath = (creator: string, days: { readonly from?: string | undefined; readonly to?: string | undefined }) =>
  apiPath('/creators/{creator}/sub-ids', { creator }, days);
export const publicProgramPath = (program: string) => apiPath('/programs/{program}', { program });
export const taxPath = (creator: string) => apiPath('/creators/{creator}/tax-details', { creator });
export const notificationsPath = (creator: string) => apiPath('/creators/{creator}/notifications', { creator });
export const paidYearsQuery = (creator: string) => apiQuery(apiPath('/creators/{creator}/paid-years', { creator }));

/**
 * The current month by the service's clock, which in the sandbox may be far ahead of the viewer's. Payouts are on the 1st and the 15th:
 * a next payout on the 15th is in the current month, one on the 1st in the following month.
 */
export function currentMonth({ next_payout: { at } }: Balance): string {
  const next = new Date(at);
  return new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() - (next.getUTCDate() === 1 ? 1 : 0), 1)).toISOString().slice(0, 7);
}
