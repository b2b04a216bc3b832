import { onTheWayTo } from '../commissions/payout-sql.ts';
import { reservesOf } from '../holds/reserves.ts';
import type { Queryable } from '../platform/database/database.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { newId, publicId, type Id } from '../platform/ids.ts';
import { cents, documentCentsMax, smaller, type Cents } from '../platform/money.ts';
import type { Platform } from '../platform/platform.ts';
import { TenantError } from '../platform/tenant-failures.ts';
import type { Money } from '../providers/providers.ts';
import { decidePayout, payoutMinimum } from './decide-payout.ts';
import { deliverToCreators } from './deliver.ts';
import { creatorsWithFree, freeCents, storesWithFree } from './earnings-sql.ts';
import { gatherPayout } from './gather.ts';
import { goOnWithPayouts } from './go-on.ts';
import { roundsMax, shownState, type ShownState } from './payout.ts';
import { sendPayout } from './send.ts';
import { readPayoutSettings } from './settings-sql.ts';
import { insertPayout, readPayout, unfinishedPayoutOf } from './sql.ts';
import { standingOf } from './standing.ts';
import { tellStores } from './tell.ts';

export type PayoutRunAsked = {
  readonly payoutRunId: Id<'prun'>;
  readonly startedBy: string;
  readonly startedByUserId: Id<'user'> | null;
  /** Null: all creators. */
  readonly creatorId: Id<'crt'> | null;
  /** Null: what the settings and the calendar say. */
  readonly minimum: Cents | null;
  readonly isDry: boolean;
  readonly now: Date;
};

export type PayoutOfRun = {
  /** Null in a dry run: nothing was made. */
  readonly payoutId: Id<'pay'> | null;
  readonly creatorId: Id<'crt'>;
  readonly amount: Cents;
  readonly state: ShownState;
};
/** `failed`: the creators who could not be paid, and the stores whose entries could not be delivered. */
export type PayoutRunEnd = {
  readonly payouts: readonly PayoutOfRun[];
  readonly failures: number;
  readonly failed: readonly string[];
  readonly firstError: unknown;
};

const creatorsPerRound = 1_000;

/** Pays everybody who may be paid. One creator's fault does not hold up the others; what is left undone is due the next time. */
export async function runPayouts(money: Money, asked: PayoutRunAsked): Promise<PayoutRunEnd> {
  const { platform } = money;
  const payouts: PayoutOfRun[] = [];
  const failed: string[] = [];
  let firstError: unknown = null;
  let failures = 0;
  // What one store told wrongly keeps nobody waiting for what all others told.
  await deliverToCreators(platform, asked.now).catch((error: unknown) => {
    failures += 1;
    firstError ??= error;
    if (error instanceof TenantError) failed.push(...error.tenants);
    platform.log.error({ error: toldInLog(error) }, 'payouts: not all that stores told could be delivered before the run');
  });
  if (!asked.isDry) await goOnWithPayouts(money);
  for await (const creatorId of creatorsOf(platform, asked)) {
    try {
      const payout = await (asked.isDry ? lookAhead(platform, creatorId, asked) : payCreator(money, creatorId, asked));
      if (payout !== null) payouts.push(payout);
    } catch (error) {
      failures += 1;
      firstError ??= error;
      failed.push(publicId('crt', creatorId));
      platform.log.error({ creator: publicId('crt', creatorId), error: toldInLog(error) }, 'payouts: a creator could not be paid');
    }
  }
  return { payouts, failures, failed, firstError };
}

async function* creatorsOf({ database }: Platform, { creatorId }: PayoutRunAsked): AsyncGenerator<Id<'crt'>> {
  if (creatorId !== null) return void (yield creatorId);
  let after: Id<'crt'> | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const found: ReadonlyArray<Id<'crt'>> = await creatorsWithFree(database, { after, limit: creatorsPerRound });
    yield* found;
    if (found.length < creatorsPerRound) return;
    after = found.at(-1) ?? null;
  }
}

/** What a run would do, and nothing is written. */
async function lookAhead(platform: Platform, creatorId: Id<'crt'>, asked: PayoutRunAsked): Promise<PayoutOfRun | null> {
  const { amount, decision } = await decided(platform, creatorId, asked);
  if (decision.do === 'wait') return null;
  return { payoutId: null, creatorId, amount, state: decision.as === 'ready' ? 'sending' : 'awaiting_second' };
}

/** Of one creator, without what a run does for all: delivering what stores have told, and resuming what is not at its end. */
export async function payCreator(money: Money, creatorId: Id<'crt'>, asked: PayoutRunAsked): Promise<PayoutOfRun | null> {
  const { platform } = money;
  const { database } = platform;
  const { decision, minimum } = await decided(platform, creatorId, asked);
  if (decision.do === 'wait') return null;
  const { payoutRunId, startedBy, startedByUserId, now } = asked;
  const key = { creatorId, payoutId: newId<'pay'>(now) };
  const begun = { ...key, payoutRunId, startedBy, startedByUserId, begunAt: now, minimumCents: minimum };
  const isOurs = await database.transaction(async (tx) =>
    insertPayout(tx, { ...begun, storeIds: await payableStores(tx, platform, asked, creatorId) }),
  );
  // Another run was faster: it pays all of it.
  if (!isOurs) return null;
  platform.reached('payouts: begun');
  await gatherPayout(platform, key, now);
  await sendPayout(money, key);
  await tellStores(platform, key);
  const { state, amountCents } = await readPayout(database, key);
  const shown = shownState(state);
  return shown === null || amountCents === null ? null : { ...key, amount: amountCents, state: shown };
}

type Asking = Pick<PayoutRunAsked, 'now'>;

/** The stores with something free, without those in their reserve period. */
async function payableStores(
  db: Queryable,
  { config }: Platform,
  { now }: Asking,
  creatorId: Id<'crt'>,
): Promise<ReadonlyArray<Id<'store'>>> {
  const storeIds = await storesWithFree(db, creatorId);
  const reserves = await reservesOf(db, storeIds, { mode: config.mode, now });
  return storeIds.filter((storeId) => !reserves.has(storeId));
}

/**
 * The creator's book knows neither holds nor reserve periods: the commissions' own rows do, and they are read again when the commissions
 * are claimed.
 */
async function payable({ config, database }: Platform, creatorId: Id<'crt'>, now: Date): Promise<Cents> {
  const free = await freeCents(database, creatorId);
  const storeIds = await storesWithFree(database, creatorId);
  const reservedStoreIds = [...(await reservesOf(database, storeIds, { mode: config.mode, now })).keys()];
  const { heldCollectedCents, reservedCents } = await onTheWayTo(database, { creatorId, storeIds, reservedStoreIds, now });
  return smaller(cents(free - smaller(cents(heldCollectedCents + reservedCents), free)), documentCentsMax);
}

async function decided(platform: Platform, creatorId: Id<'crt'>, { now, minimum: asked }: PayoutRunAsked) {
  const { database, config } = platform;
  const settings = await readPayoutSettings(database, config.mode);
  const { isSuspended, isUnderReview, ownMinimum, method } = await standingOf(database, creatorId);
  const amount = await payable(platform, creatorId, now);
  const minimum = payoutMinimum({ now, asked, operators: settings.minimumCents, creators: ownMinimum });
  const decision = decidePayout({
    now,
    isSuspended,
    isUnderReview,
    isAnotherUnfinished: (await unfinishedPayoutOf(database, creatorId)) !== null,
    amount,
    minimum,
    method,
    secondPersonAbove: settings.secondPersonAboveCents,
  });
  return { amount, minimum, decision };
}
