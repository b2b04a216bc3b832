import { storesToBill } from '../billing/stores.ts';
import { creatorsWithBillable } from '../commissions/billing-sql.ts';
import { readRiskSettings } from '../holds/settings.ts';
import { creatorsWithFree, pairsWithFree } from '../payouts/earnings-sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { assessEach, assessFirstPayouts, comparePairs, deliverFirst, enforceOpenCases, failuresOf, type Assessing } from './assess.ts';
import { sweepPairs } from './release-case.ts';
import type { Pair } from './same-person-sql.ts';
import { someStores } from './signals-sql.ts';

const creatorsAtOnce = 500;
const roundsMax = 100_000;

/** Null where the settings are not enforced: then no run depends on an assessment. */
async function assessingFor(platform: Platform, now: Date): Promise<Assessing | null> {
  const settings = await readRiskSettings(platform.database, platform.config.mode);
  return settings.enforce ? { settings, now, failures: failuresOf(platform) } : null;
}

/**
 * Before invoices are issued, of one store or of all (null): compares the people of each store with the creators it would be invoiced
 * for. Signals keep nothing from invoices, so they are not assessed here. Where nothing is billable, nothing else is read.
 */
export async function assessBeforeBilling(platform: Platform, now: Date, storeId: Id<'store'> | null): Promise<void> {
  const assessing = await assessingFor(platform, now);
  if (assessing === null) return;
  await enforceOpenCases(platform, assessing);
  let isAnything = false;
  for await (const id of storeId === null ? storesToBill(platform.database, now) : [storeId]) {
    let after: Id<'crt'> | null = null;
    for (let round = 0; round < roundsMax; round++) {
      const stretch = { storeId: id, now, after, limit: creatorsAtOnce };
      const creatorIds: ReadonlyArray<Id<'crt'>> = await creatorsWithBillable(platform.database, stretch);
      await comparePairs(platform, assessing, pairsOf(id, creatorIds));
      isAnything ||= creatorIds.length > 0;
      if (creatorIds.length < creatorsAtOnce) break;
      after = creatorIds.at(-1) ?? null;
    }
  }
  if (isAnything) await sweepPairs(platform);
}

const pairsOf = (storeId: Id<'store'>, creatorIds: ReadonlyArray<Id<'crt'>>): readonly Pair[] =>
  creatorIds.map((creatorId) => ({ storeId, creatorId }));

/**
 * Before payouts are sent, to one creator or to all (null): assesses the creators with something to be paid, and the stores it comes
 * from. Where nobody has anything to be paid, nothing else is read.
 */
export async function assessBeforePayouts(platform: Platform, now: Date, creatorId: Id<'crt'> | null): Promise<void> {
  const assessing = await assessingFor(platform, now);
  if (assessing === null) return;
  await enforceOpenCases(platform, assessing);
  await deliverFirst(platform, assessing);
  const assessed = new Set<Id<'store'>>();
  let after: Id<'crt'> | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const creatorIds: ReadonlyArray<Id<'crt'>> =
      creatorId === null ? await creatorsWithFree(platform.database, { after, limit: creatorsAtOnce }) : [creatorId];
    await assessCreators(platform, assessing, { creatorIds, assessed });
    if (creatorIds.length < creatorsAtOnce) break;
    after = creatorIds.at(-1) ?? null;
  }
  if (assessed.size > 0) await sweepPairs(platform);
}

type Asked = { readonly creatorIds: ReadonlyArray<Id<'crt'>>; readonly assessed: Set<Id<'store'>> };

/** Each store is assessed once in a run, however many of its creators are paid. */
async function assessCreators(platform: Platform, assessing: Assessing, { creatorIds, assessed }: Asked): Promise<void> {
  const pairs = await pairsWithFree(platform.database, creatorIds);
  if (pairs.length === 0) return;
  await comparePairs(platform, assessing, pairs);
  const storeIds = [...new Set(pairs.map(({ storeId }) => storeId))].filter((storeId) => !assessed.has(storeId));
  await assessEach(platform, assessing, await someStores(platform.database, storeIds));
  for (const storeId of storeIds) assessed.add(storeId);
  await assessFirstPayouts(platform, assessing, creatorIds);
}
