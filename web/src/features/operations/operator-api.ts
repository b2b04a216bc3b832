import { apiQuery } from '../../ui/queries.ts';
import type { BillingRun, OperatorPayout, PayoutRun } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';

/** The fields that billing runs and payout runs share. */
export type Run = Pick<BillingRun, keyof BillingRun & keyof PayoutRun>;
export type RunPayout = PayoutRun['payouts'][number];

/** A failed payout that its provider later reported as paid; no operator has confirmed that the money came back. */
export const isReportedPaid = ({ state, contradicted_at: contradictedAt, contradiction_decided_at: decidedAt }: OperatorPayout): boolean =>
  state === 'failed' && contradictedAt !== null && decidedAt === null;
export const payoutsPath = (filter: { readonly state?: string | undefined; readonly provider?: string | undefined }) =>
  apiPath('/payouts', {}, filter);

export const verificationsQuery = apiQuery(apiPath('/ledger/verifications', {}, { limit: 10 }));

export const operatorOverviewQuery = apiQuery('/overview');
export const ledgerQuery = apiQuery('/ledger');
export const jobsQuery = apiQuery('/jobs');
export const unauthenticatedRequestsQuery = apiQuery('/door-refusals');
export const healthQuery = apiQuery('/health');
