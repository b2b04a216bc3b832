import { billingChecks } from './billing/verify-sql.ts';
import { commissionChecks } from './commissions/verify-sql.ts';
import { creatorChecks } from './creators/verify-sql.ts';
import { ledgerChecks } from './ledger/verify.ts';
import { orderChecks } from './orders/verify-sql.ts';
import { payoutChecks } from './payouts/verify-sql.ts';
import type { Platform } from './platform/platform.ts';
import { subscriptionChecks } from './subscriptions/verify-sql.ts';
import type { Check, Difference } from './platform/verify.ts';

/** What must be true of every row of every store. Each room adds its own. */
export const checks: readonly Check[] = [
  ...ledgerChecks,
  ...billingChecks,
  ...commissionChecks,
  ...orderChecks,
  ...subscriptionChecks,
  ...payoutChecks,
  ...creatorChecks,
];

export type CheckResult = { readonly what: string; readonly rows: bigint; readonly differences: readonly Difference[] };

/** One after the other, on a connection that no time-out ends: in a large house a check may take minutes. */
export const verify = ({ nightDatabase }: Pick<Platform, 'nightDatabase'>): Promise<readonly CheckResult[]> =>
  nightDatabase.patiently(async (db) => {
    const results: CheckResult[] = [];
    for (const { what, rows, differences } of checks) results.push({ what, rows: await rows(db), differences: await differences(db) });
    return results;
  });
