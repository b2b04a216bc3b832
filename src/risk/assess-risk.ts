import type { HoldScope } from '../holds/holds-sql.ts';
import { readRiskSettings, type RiskSettings } from '../holds/risk-settings.ts';
import { deliverEarnings } from '../payouts/deliver-earnings.ts';
import { errorForLog, isConnectionLost } from '../db/sql-errors.ts';
import { firstIdAt, type Id, publicId, timeOfId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures, type TenantFailures } from '../queue/tenant-failures.ts';
import { dayMs, plusDays } from '../core/time.ts';
import { type Evidence, type RiskCase, type RiskRule, subjectOf } from './risk-case.ts';
import { findLatestCase, lockCase, listUnenforcedCases, setEvidence } from './cases-sql.ts';
import { decideRepeatFinding } from './decide-repeat-finding.ts';
import { decideCreatorSignals, decidePairSignals, type PairFacts, signalLimits } from './decide-signals.ts';
import { enforceOpenCase, openCase } from './open-case.ts';
import { applyPairHolds } from './release-case.ts';
import { findSamePeople } from './same-person.ts';
import { type Pair, listPairs } from './same-person-sql.ts';
import {
  listCreatorCreationTimes,
  findEarliestAssessable,
  countFastOrders,
  listLargeFirstPayouts,
  sumOrdersByCreator,
  listNamedStores,
  listStoresToAssess,
  usualOrder,
} from './signals-sql.ts';
import { paginateStoresToInvoice } from '../billing/paginate-invoices.ts';
import { listCreatorsWithBillable } from '../commissions/billing-sql.ts';
import { listPairsWithFreeEarnings } from '../payouts/earnings-sql.ts';
import { noAssessment, type PayeeAssessment } from '../payouts/run-payouts.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

const pairsPerPage = 500;

const storesPerPage = 500;

const casesPerRunMax = 10_000;

const pagesMax = 100_000;

const historyDays = 31;

export type Assessment = { readonly settings: RiskSettings; readonly now: Date; readonly failures: TenantFailures };

/**
 * Compares people on both sides of a program and reads fraud signals, in all stores, each day. A billing or payout run assesses what it
 * is about to move, see `assessBeforeBilling` and `assessBeforePayouts`. A failure in one store is logged and does not stop the others.
 */
export async function assessRisk(platform: Platform, now: Date): Promise<void> {
  const assessing = {
    settings: await readRiskSettings(platform.database, platform.config.mode),
    now,
    failures: collectFailures(platform),
  };
  if (assessing.settings.enforce) await enforceOpenCases(platform, assessing);
  await deliverEarningsFirst(platform, assessing);
  await assessPairs(platform, assessing);
  await assessStores(platform, assessing);
  await assessFirstPayouts(platform, assessing, null);
  await applyPairHolds(platform);
  assessing.failures.raise();
}

/** Signals come from orders and collected money; after a run, only new rows of either can give new signals. */
export async function earliestSignal({ database }: Platform, ranUpTo: Date): Promise<Date | null> {
  const first = await findEarliestAssessable(database, firstIdAt(ranUpTo));
  return first === null ? null : timeOfId(first);
}

export const collectFailures = ({ log }: Platform): TenantFailures =>
  tenantFailures(log, 'The risk of stores and creators could not be assessed');

/** Delivers collected money to the creators' ledgers first, or a large first payout is not detected. */
export const deliverEarningsFirst = (platform: Platform, { now }: Assessment): Promise<void> =>
  deliverEarnings(platform, now).catch((error: unknown) =>
    platform.log.error({ error: errorForLog(error) }, 'risk: not everything could be delivered to creators before the assessment'),
  );

export async function enforceOpenCases({ database }: Platform, { now, failures }: Assessment): Promise<void> {
  for (const { caseId, storeId, creatorId } of await listUnenforcedCases(database, casesPerRunMax))
    await failures.run(tenantOf({ storeId, creatorId }) ?? publicId('case', caseId), () =>
      database.transaction(async (tx) => {
        const riskCase = await lockCase(tx, caseId);
        if (riskCase !== null) await enforceOpenCase(tx, riskCase, now);
      }),
    );
}

const tenantOf = ({ storeId, creatorId }: Pick<RiskCase, 'storeId' | 'creatorId'>): string | null => {
  if (storeId !== null) return publicId('store', storeId);
  return creatorId === null ? null : publicId('crt', creatorId);
};

async function assessPairs(platform: Platform, assessing: Assessment): Promise<void> {
  const bounds = { rowsPerPage: pairsPerPage, pagesMax };
  for await (const pairs of boundedKeysetPages<Pair, Pair>(bounds, itself, ({ after, limit }) =>
    listPairs(platform.database, after, limit),
  ))
    await comparePairs(platform, assessing, pairs);
}

/** Compares all pairs together; if that fails, store by store, so that one store does not block the others. */
export async function comparePairs(platform: Platform, assessing: Assessment, pairs: readonly Pair[]): Promise<void> {
  const { database, secrets } = platform;
  const compare = async (some: readonly Pair[]) => {
    for (const { storeId, creatorId, evidence } of await findSamePeople(database, secrets, some))
      await recordFinding(platform, assessing, {
        rule: 'same_person',
        scope: { of: 'pair', storeId, creatorId, blocksBilling: true },
        evidence,
      });
  };
  try {
    await compare(pairs);
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    for (const storeId of new Set(pairs.map((pair) => pair.storeId)))
      await assessing.failures.run(publicId('store', storeId), () => compare(pairs.filter((pair) => pair.storeId === storeId)));
  }
}

async function assessStores(platform: Platform, assessing: Assessment): Promise<void> {
  const pages = boundedKeysetPages(
    { rowsPerPage: storesPerPage, pagesMax },
    ({ storeId }: Store) => storeId,
    ({ after, limit }) => listStoresToAssess(platform.database, after, limit),
  );
  for await (const stores of pages) await assessListedStores(platform, assessing, stores);
}

type Store = { readonly storeId: Id<'store'>; readonly createdAt: Date };

export async function assessListedStores(platform: Platform, assessing: Assessment, stores: readonly Store[]): Promise<void> {
  for (const store of stores) await assessing.failures.run(publicId('store', store.storeId), () => assessStore(platform, assessing, store));
}

async function assessStore(platform: Platform, assessing: Assessment, { storeId, createdAt }: Store): Promise<void> {
  const { database } = platform;
  const { settings, now } = assessing;
  const day = { storeId, firstIdOfDay: firstIdAt(plusDays(now, -1)) };
  const window = { ...day, firstId: firstIdAt(plusDays(now, -historyDays)) };
  const creators = await sumOrdersByCreator(database, { ...window, fullPercent: signalLimits.fullCommissionPercent });
  if (creators.length === 0) return;
  const usual = await usualOrder(database, window);
  const fast = new Map(
    (await countFastOrders(database, { ...day, withinSeconds: signalLimits.fastOrderSeconds })).map((row) => [row.creatorId, row.orders]),
  );
  const births = new Map(
    (
      await listCreatorCreationTimes(
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
      await recordFinding(platform, assessing, { rule, scope: { of: 'pair', storeId, creatorId, blocksBilling: false }, evidence });
  }
}

const daysBetween = (from: Date, to: Date): number => Math.max(0, Math.floor((to.getTime() - from.getTime()) / dayMs));

/** Assesses some creators, or all (null). */
export async function assessFirstPayouts(
  platform: Platform,
  assessing: Assessment,
  creatorIds: ReadonlyArray<Id<'crt'>> | null,
): Promise<void> {
  const { settings } = assessing;
  const large = { least: settings.largeFirstPayout, creatorIds, limit: casesPerRunMax };
  for (const { creatorId, free } of await listLargeFirstPayouts(platform.database, large))
    for (const { rule, evidence } of decideCreatorSignals({ free, wasPaidBefore: false }, settings))
      await assessing.failures.run(publicId('crt', creatorId), () =>
        recordFinding(platform, assessing, { rule, scope: { of: 'creator', creatorId }, evidence }),
      );
}

type Finding = { readonly rule: RiskRule; readonly scope: HoldScope; readonly evidence: readonly Evidence[] };

/** Opens a case, adds evidence to the open one, or does nothing because an operator released the case. */
async function recordFinding({ database }: Platform, { settings, now }: Assessment, { rule, scope, evidence }: Finding): Promise<void> {
  const before = await findLatestCase(database, rule, subjectOf(scope));
  const decision = decideRepeatFinding({ rule, evidence, before, now });
  if (decision === 'nothing') return;
  await database.transaction(async (tx) => {
    if (decision === 'open') await openCase(tx, { rule, scope, evidence, isEnforced: settings.enforce, at: now });
    else if (before !== null) await setEvidence(tx, before.caseId, evidence);
  });
}

const creatorBounds = { rowsPerPage: 500, pagesMax };

/** Null: the settings are not enforced, so no run depends on an assessment. */
async function startAssessment(platform: Platform, now: Date): Promise<Assessment | null> {
  const settings = await readRiskSettings(platform.database, platform.config.mode);
  return settings.enforce ? { settings, now, failures: collectFailures(platform) } : null;
}

/** Whether an open case awaits enforcement, although nothing is invoiced or paid. */
export async function isEnforcementWaiting({ database, config }: Platform): Promise<boolean> {
  const { enforce } = await readRiskSettings(database, config.mode);
  return enforce && (await listUnenforcedCases(database, 1)).length > 0;
}

/** Public IDs of stores that could not be assessed. A run must not invoice them. */
type UnassessedStores = ReadonlySet<string>;

/**
 * Runs before invoices are issued, for one store or for all (null): compares the team of each store with the creators it would be
 * invoiced for. Signals do not block invoices, so they are not assessed here. If nothing is billable, nothing else is read.
 */
export async function assessBeforeBilling(platform: Platform, now: Date, storeId: Id<'store'> | null): Promise<UnassessedStores> {
  const assessing = await startAssessment(platform, now);
  if (assessing === null) return new Set();
  await enforceOpenCases(platform, assessing);
  let isAnything = false;
  for await (const id of storeId === null ? paginateStoresToInvoice(platform.database, now) : [storeId]) {
    const pages = boundedKeysetPages<Id<'crt'>, Id<'crt'>>(creatorBounds, itself, (page) =>
      listCreatorsWithBillable(platform.database, { storeId: id, now, ...page }),
    );
    for await (const creatorIds of pages) {
      await comparePairs(platform, assessing, pairsOf(id, creatorIds));
      isAnything ||= creatorIds.length > 0;
    }
  }
  if (isAnything) await applyPairHolds(platform);
  return assessing.failures.failed();
}

const pairsOf = (storeId: Id<'store'>, creatorIds: ReadonlyArray<Id<'crt'>>): readonly Pair[] =>
  creatorIds.map((creatorId) => ({ storeId, creatorId }));

/**
 * Assesses the creators that a run of payouts is about to pay, some at a time, and the stores of their free earnings. The run does not pay
 * for a store that could not be assessed, or from which a creator had no free earnings at that time.
 */
export async function assessBeforePayouts(platform: Platform, now: Date): Promise<PayeeAssessment> {
  const assessing = await startAssessment(platform, now);
  if (assessing === null) return noAssessment;
  await enforceOpenCases(platform, assessing);
  const { failed } = assessing.failures;
  const storesBefore = new Set<Id<'store'>>();
  return {
    failed,
    async assess(creatorIds) {
      const pairs = await assessCreators(platform, assessing, { creatorIds, storesBefore });
      const unassessed = failed();
      const assessed = pairs.filter(
        ({ creatorId, storeId }) => !unassessed.has(publicId('crt', creatorId)) && !unassessed.has(publicId('store', storeId)),
      );
      const keys = new Set(assessed.map(pairKey));
      return (pair) => keys.has(pairKey(pair));
    },
  };
}

const pairKey = ({ storeId, creatorId }: Pair): string => `${storeId} ${creatorId}`;

type CreatorsToAssess = { readonly creatorIds: ReadonlyArray<Id<'crt'>>; readonly storesBefore: Set<Id<'store'>> };

/** Each store is assessed once in a run, however many of its creators are paid. Returns the pairs that were assessed. */
async function assessCreators(
  platform: Platform,
  assessing: Assessment,
  { creatorIds, storesBefore }: CreatorsToAssess,
): Promise<readonly Pair[]> {
  const pairs = await listPairsWithFreeEarnings(platform.database, creatorIds);
  if (pairs.length === 0) return pairs;
  await comparePairs(platform, assessing, pairs);
  const storeIds = [...new Set(pairs.map(({ storeId }) => storeId))].filter((storeId) => !storesBefore.has(storeId));
  await assessListedStores(platform, assessing, await listNamedStores(platform.database, storeIds));
  for (const storeId of storeIds) storesBefore.add(storeId);
  await assessFirstPayouts(platform, assessing, creatorIds);
  await applyPairHolds(platform);
  return pairs;
}
