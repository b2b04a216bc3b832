import { setTimeout } from 'node:timers/promises';
import { billingChecks } from '../billing/verify-sql.ts';
import { bonusChecks } from '../bonuses/verify-sql.ts';
import { commissionChecks } from '../commissions/verify-sql.ts';
import { creatorChecks } from '../creators/verify-sql.ts';
import { ledgerChecks } from '../ledger/verify.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { differencesEmail } from '../operations/verification-email.ts';
import { insertVerification, type VerificationCheck, type VerificationDifference } from '../operations/verifications-sql.ts';
import { leadChecks } from '../leads/verify-sql.ts';
import { orderChecks } from '../orders/verify-sql.ts';
import { payoutChecks } from '../payouts/verify-sql.ts';
import { listOperatorUsers } from '../people/users-sql.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { newId, publicId } from '../core/ids.ts';
import { riskChecks } from '../risk/verify-sql.ts';
import { isDistributed } from '../db/distribute.ts';
import { isConnectionLost, errorForLog } from '../db/sql-errors.ts';
import { refreshStatistics } from '../db/statistics.ts';
import type { Platform } from '../runtime/platform.ts';
import { realNow } from '../core/time.ts';
import { subscriptionChecks } from '../subscriptions/verify-sql.ts';
import type { Check, Difference } from '../db/check.ts';

/** The invariants of every row of every store, collected from all modules. */
export const checks: readonly Check[] = [
  ...ledgerChecks,
  ...billingChecks,
  ...commissionChecks,
  ...orderChecks,
  ...leadChecks,
  ...bonusChecks,
  ...subscriptionChecks,
  ...payoutChecks,
  ...creatorChecks,
  ...riskChecks,
];

export type CheckResult = { readonly what: string; readonly rows: bigint; readonly differences: readonly Difference[] };

/**
 * Runs the checks one after the other in one snapshot, on a connection without a timeout: in a large installation a check may take
 * minutes, and rows that belong together must be compared at the same moment. A check that fails is itself reported as a difference, and
 * the other checks still run. The machines of a cluster have no common snapshot, so there a difference counts only if it is found again.
 */
export async function verify({ jobsDatabase }: Pick<Platform, 'jobsDatabase'>): Promise<readonly CheckResult[]> {
  await refreshStatistics(jobsDatabase);
  const results = await runChecks(jobsDatabase, checks);
  const differing = checks.filter((_check, index) => (results[index]?.differences.length ?? 0) > 0);
  if (differing.length === 0 || !(await isDistributed(jobsDatabase))) return results;
  await setTimeout(recheckMs);
  const again = new Map((await runChecks(jobsDatabase, differing)).map((result) => [result.what, result.differences]));
  return results.map((result) => ({ ...result, differences: inBoth(result.differences, again.get(result.what) ?? []) }));
}

/** Longer than an entry takes from one machine to another after its first commit. */
const recheckMs = 2_000;

/** The amounts of one difference may change with new rows. */
function inBoth(before: readonly Difference[], after: readonly Difference[]): readonly Difference[] {
  const nameOf = ({ storeId, detail }: Difference) => `${storeId} ${detail.replace(/(?<!\S)-?\d+\b/g, '#')}`;
  const names = new Set(before.map(nameOf));
  return after.filter((difference) => names.has(nameOf(difference)));
}

function runChecks(database: Platform['jobsDatabase'], chosen: readonly Check[]): Promise<readonly CheckResult[]> {
  return database.readSnapshot(async (db, attempt) => {
    const results: CheckResult[] = [];
    for (const { what, rows, differences } of chosen)
      results.push(
        await attempt(async () => ({ what, rows: await rows(db), differences: await differences(db) })).catch((error: unknown) => {
          if (isConnectionLost(error)) throw error;
          const detail = `the check failed to run: ${errorForLog(error).split('\n')[0]}`;
          return { what, rows: 0n, differences: [{ storeId: null, detail }] };
        }),
      );
    return results;
  });
}

export type Verification = {
  readonly checked: number;
  readonly tookMs: number;
  readonly checks: readonly VerificationCheck[];
  readonly differences: readonly VerificationDifference[];
};

/** Further differences are returned but not stored: so many usually have a single cause. */
const storedDifferencesMax = 50;

type VerifyRequest = { readonly at: Date; readonly requestedBy: string; readonly requestedByName: string };

export async function verifyAndStore(platform: Platform, request: VerifyRequest): Promise<Verification> {
  const began = realNow().getTime();
  const results = await verify(platform);
  const tookMs = realNow().getTime() - began;
  const differences = results.flatMap((result) =>
    result.differences.map(({ storeId, detail }) => ({
      what: result.what,
      store_id: storeId === null ? '' : publicId('store', storeId),
      detail,
    })),
  );
  const counted = results.map(({ what, rows, differences: found }) => ({ what, checked: Number(rows), differences: found.length }));
  const checked = results.reduce((sum, { rows }) => sum + rows, 0n);
  await insertVerification(platform.database, {
    ...request,
    verificationId: newId<'ver'>(request.at),
    checked,
    differences: differences.length,
    tookMs: BigInt(tookMs),
    checks: counted,
    found: differences.slice(0, storedDifferencesMax),
  });
  return { checked: Number(checked), tookMs, checks: counted, differences };
}

/** A scheduled job. The overview shows the result; differences are also emailed to the operators. */
export async function verifyDaily(platform: Platform, now: Date): Promise<void> {
  const { differences } = await verifyAndStore(platform, { at: now, requestedBy: 'system', requestedByName: 'the scheduled job' });
  if (differences.length === 0) return;
  platform.log.error({ differences: differences.length, first: differences[0] }, 'verification found differences');
  const content = differencesEmail({
    differences: differences.length,
    found: differences,
    url: `${platform.config.baseUrl}/operator/ledger`,
  });
  await platform.database.transaction(async (tx) => {
    for (const { email } of await listOperatorUsers(tx, { most: operatorsMax }))
      await enqueueEmail(tx, platform.secrets, { to: email, content, storeId: null });
  });
}
