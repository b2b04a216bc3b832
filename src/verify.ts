import { billingChecks } from './billing/verify-sql.ts';
import { commissionChecks } from './commissions/verify-sql.ts';
import { creatorChecks } from './creators/verify-sql.ts';
import { ledgerChecks } from './ledger/verify.ts';
import { keepMail } from './notify/mail.ts';
import { differencesLetter } from './operating/verification-letter.ts';
import { keepVerification, type CheckedOnce, type FoundOnce } from './operating/verifications-sql.ts';
import { orderChecks } from './orders/verify-sql.ts';
import { payoutChecks } from './payouts/verify-sql.ts';
import { operators } from './people/users-sql.ts';
import { operatorsMax } from './people/operators-sql.ts';
import { newId, publicId } from './platform/ids.ts';
import { riskChecks } from './risk/verify-sql.ts';
import { isConnectionLost, toldInLog } from './platform/database/sql-errors.ts';
import { refreshStatistics } from './platform/database/statistics.ts';
import type { Platform } from './platform/platform.ts';
import { realNow } from './platform/time.ts';
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
  ...riskChecks,
];

export type CheckResult = { readonly what: string; readonly rows: bigint; readonly differences: readonly Difference[] };

/**
 * One after the other, all of one moment, on a connection that no time-out ends: in a large house a check may take minutes, and
 * what is counted first must not have changed when what belongs to it is counted last. A check that fails, such as by the amounts of one
 * store, is a difference itself, and keeps none of the others from being made.
 */
export async function verify({ nightDatabase }: Pick<Platform, 'nightDatabase'>): Promise<readonly CheckResult[]> {
  await refreshStatistics(nightDatabase);
  return nightDatabase.ofOneMoment(async (db, attempt) => {
    const results: CheckResult[] = [];
    for (const { what, rows, differences } of checks)
      results.push(
        await attempt(async () => ({ what, rows: await rows(db), differences: await differences(db) })).catch((error: unknown) => {
          if (isConnectionLost(error)) throw error;
          const detail = `the check could not be made: ${toldInLog(error).split('\n')[0]}`;
          return { what, rows: 0n, differences: [{ storeId: null, detail }] };
        }),
      );
    return results;
  });
}

export type Verified = {
  readonly checked: number;
  readonly tookMs: number;
  readonly checks: readonly CheckedOnce[];
  readonly differences: readonly FoundOnce[];
};

/** More are told to who asks, and kept by nobody: where there are so many, it is one mistake. */
const foundKeptMax = 50;

type AskedBy = { readonly at: Date; readonly askedBy: string; readonly askedByName: string };

export async function verifyAndKeep(platform: Platform, asked: AskedBy): Promise<Verified> {
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
  const told = results.map(({ what, rows, differences: found }) => ({ what, checked: Number(rows), differences: found.length }));
  const checked = results.reduce((sum, { rows }) => sum + rows, 0n);
  await keepVerification(platform.database, {
    ...asked,
    verificationId: newId<'ver'>(asked.at),
    checked,
    differences: differences.length,
    tookMs: BigInt(tookMs),
    checks: told,
    found: differences.slice(0, foundKeptMax),
  });
  return { checked: Number(checked), tookMs, checks: told, differences };
}

/** A job of the night. That everything was in order stands on the overview; what differs is mailed to the operators as well. */
export async function verifyAtNight(platform: Platform, now: Date): Promise<void> {
  const { differences } = await verifyAndKeep(platform, { at: now, askedBy: 'system', askedByName: 'the job of the night' });
  if (differences.length === 0) return;
  platform.log.error({ differences: differences.length, first: differences[0] }, 'verification: something is not as it must be');
  const letter = differencesLetter({
    differences: differences.length,
    found: differences,
    url: `${platform.config.baseUrl}/operator/ledger`,
  });
  await platform.database.transaction(async (tx) => {
    for (const { email } of await operators(tx, { most: operatorsMax }))
      await keepMail(tx, platform.secrets, { to: email, letter, storeId: null });
  });
}
