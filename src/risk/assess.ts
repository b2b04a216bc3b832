import type { HoldScope } from '../holds/holds-sql.ts';
import { readRiskSettings, type RiskSettings } from '../holds/settings.ts';
import { deliverToCreators } from '../payouts/deliver.ts';
import { isConnectionLost, toldInLog } from '../platform/database/sql-errors.ts';
import { firstIdAt, publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures, type TenantFailures } from '../platform/tenant-failures.ts';
import { dayMs, plusDays } from '../platform/time.ts';
import { subjectOf, type Evidence, type RiskRule } from './case.ts';
import { latestCaseOf, lockCase, openUnenforced, setEvidence } from './cases-sql.ts';
import { decideAgain } from './decide-again.ts';
import { decideCreatorSignals, decidePairSignals, signalLimits, type PairFacts } from './decide-signals.ts';
import { enforceOpenCase, openCase } from './open-case.ts';
import { sweepPairs } from './release-case.ts';
import { samePeopleAmong } from './same-person.ts';
import { pairsAfter, type Pair } from './same-person-sql.ts';
import { creatorBirths, fastOrders, largeFirstPayouts, ordersByCreator, storesAfter, usualOrder } from './signals-sql.ts';

const pairsAtOnce = 500;
const storesAtOnce = 500;
const casesAtOnceMax = 10_000;
const roundsMax = 100_000;
const historyDays = 31;

export type Assessing = { readonly settings: RiskSettings; readonly now: Date; readonly failures: TenantFailures };

/**
 * Looks for people on both sides of a program and for signals, in all stores. It runs each day; what a run of invoices or of payouts is
 * about to move is assessed by the run, see assess-money.ts. What fails for one store is logged, and keeps nothing from the others.
 */
export async function assessRisk(platform: Platform, now: Date): Promise<void> {
  const assessing = {
    settings: await readRiskSettings(platform.database, platform.config.mode),
    now,
    failures: failuresOf(platform),
  };
  if (assessing.settings.enforce) await enforceOpenCases(platform, assessing);
  await deliverFirst(platform, assessing);
  await assessPairs(platform, assessing);
  await assessStores(platform, assessing);
  await assessFirstPayouts(platform, assessing, null);
  await sweepPairs(platform);
  assessing.failures.raise();
}

export const failuresOf = ({ log }: Platform): TenantFailures =>
  tenantFailures(log, 'The risk of stores and creators could not be assessed');

/** The creators' books have to hold what stores collected, or a large first payout is not seen. */
export const deliverFirst = (platform: Platform, { now }: Assessing): Promise<void> =>
  deliverToCreators(platform, now).catch((error: unknown) =>
    platform.log.error({ error: toldInLog(error) }, 'risk: not everything could be delivered to creators before the assessment'),
  );

export async function enforceOpenCases({ database }: Platform, { now, failures }: Assessing): Promise<void> {
  for (const { caseId } of await openUnenforced(database, casesAtOnceMax))
    await failures.run(publicId('case', caseId), () =>
      database.transaction(async (tx) => {
        const riskCase = await lockCase(tx, caseId);
        if (riskCase !== null) await enforceOpenCase(tx, riskCase, now);
      }),
    );
}

async function assessPairs(platform: Platform, assessing: Assessing): Promise<void> {
  let after: Pair | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const pairs: readonly Pair[] = await pairsAfter(platform.database, after, pairsAtOnce);
    await comparePairs(platform, assessing, pairs);
    if (pairs.length < pairsAtOnce) return;
    after = pairs.at(-1) ?? null;
  }
}

/** Pairs are compared together; where that fails, each store's on their own. */
export async function comparePairs(platform: Platform, assessing: Assessing, pairs: readonly Pair[]): Promise<void> {
  const { database, secrets } = platform;
  const compare = async (some: readonly Pair[]) => {
    for (const { storeId, creatorId, evidence } of await samePeopleAmong(database, secrets, some))
      await found(platform, assessing, { rule: 'same_person', scope: { of: 'pair', storeId, creatorId, blocksBilling: true }, evidence });
  };
  try {
    await compare(pairs);
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    for (const storeId of new Set(pairs.map((pair) => pair.storeId)))
      await assessing.failures.run(publicId('store', storeId), () => compare(pairs.filter((pair) => pair.storeId === storeId)));
  }
}

async function assessStores(platform: Platform, assessing: Assessing): Promise<void> {
  let after: Id<'store'> | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const stores: Awaited<ReturnType<typeof storesAfter>> = await storesAfter(platform.database, after, storesAtOnce);
    await assessEach(platform, assessing, stores);
    if (stores.length < storesAtOnce) return;
    after = stores.at(-1)?.storeId ?? null;
  }
}

type Store = { readonly storeId: Id<'store'>; readonly createdAt: Date };

export async function assessEach(platform: Platform, assessing: Assessing, stores: readonly Store[]): Promise<void> {
  for (const store of stores) await assessing.failures.run(publicId('store', store.storeId), () => assessStore(platform, assessing, store));
}

async function assessStore(platform: Platform, assessing: Assessing, { storeId, createdAt }: Store): Promise<void> {
  const { database } = platform;
  const { settings, now } = assessing;
  const day = { storeId, firstIdOfDay: firstIdAt(plusDays(now, -1)) };
  const window = { ...day, firstId: firstIdAt(plusDays(now, -historyDays)) };
  const creators = await ordersByCreator(database, { ...window, fullPercent: signalLimits.fullCommissionPercent });
  if (creators.length === 0) return;
  const usual = await usualOrder(database, window);
  const fast = new Map(
    (await fastOrders(database, { ...day, withinSeconds: signalLimits.fastOrderSeconds })).map((row) => [row.creatorId, row.orders]),
  );
  const births = new Map(
    (
      await creatorBirths(
        database,
        creators.map(({ creatorId }) => creatorId),
      )
    ).map((row) => [row.creatorId, row.createdAt]),
  );
  for (const creator of creators) {
    const { creatorId } = creator;
    const facts: PairFacts = {
      orders: Number(creator.orders),
      peakHour: Number(creator.peakHour),
      formerPeakHour: Number(creator.formerPeakHour),
      largestOrder: creator.largestOrder,
      medianOrder: usual.median,
      formerOrders: Number(usual.orders),
      fastOrders: Number(fast.get(creatorId) ?? 0n),
      fullCommission: creator.fullCommission,
      isOnlyCreator: creators.length === 1,
      storeAgeDays: daysBetween(createdAt, now),
      creatorAgeDays: daysBetween(births.get(creatorId) ?? now, now),
      unpaid: creator.unpaid,
    };
    for (const { rule, evidence } of decidePairSignals(facts, settings))
      await found(platform, assessing, { rule, scope: { of: 'pair', storeId, creatorId, blocksBilling: false }, evidence });
  }
}

const daysBetween = (from: Date, to: Date): number => Math.max(0, Math.floor((to.getTime() - from.getTime()) / dayMs));

/** Of some creators, or of all (null). */
export async function assessFirstPayouts(
  platform: Platform,
  assessing: Assessing,
  creatorIds: ReadonlyArray<Id<'crt'>> | null,
): Promise<void> {
  const { settings } = assessing;
  const large = { least: settings.largeFirstPayout, creatorIds, limit: casesAtOnceMax };
  for (const { creatorId, free } of await largeFirstPayouts(platform.database, large))
    for (const { rule, evidence } of decideCreatorSignals({ free, wasPaidBefore: false }, settings))
      await assessing.failures.run(publicId('crt', creatorId), () =>
        found(platform, assessing, { rule, scope: { of: 'creator', creatorId }, evidence }),
      );
}

type Finding = { readonly rule: RiskRule; readonly scope: HoldScope; readonly evidence: readonly Evidence[] };

/** Opens a case, adds new evidence to the one that is open, or respects what an operator released. */
async function found({ database }: Platform, { settings, now }: Assessing, { rule, scope, evidence }: Finding): Promise<void> {
  const before = await latestCaseOf(database, rule, subjectOf(scope));
  const decision = decideAgain({ rule, evidence, before, now });
  if (decision === 'nothing') return;
  await database.transaction(async (tx) => {
    if (decision === 'open') await openCase(tx, { rule, scope, evidence, isEnforced: settings.enforce, at: now });
    else if (before !== null) await setEvidence(tx, before.caseId, evidence);
  });
}
