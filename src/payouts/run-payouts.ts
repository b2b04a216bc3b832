import { type Id, newId, publicId } from '../core/ids.ts';
import { failureOf, TenantError } from '../queue/tenant-failures.ts';
import type { Money } from '../payments/providers.ts';
import { listStoresWithUndeliveredEntries } from '../commissions/creator-outbox-sql.ts';
import { whatIsDue } from '../queue/scheduled-jobs.ts';
import type { Platform } from '../runtime/platform.ts';
import { deliverEarnings } from './deliver-earnings.ts';
import { type FreePair, listCreatorsWithFreeEarnings, sumFreeEarnings, listStoresWithFreeEarnings } from './earnings-sql.ts';
import { resumePayouts, sendPayout } from './send-payout.ts';
import { insertPayout, listOpenPayouts, readPayout, findUnfinishedPayout } from './payouts-sql.ts';
import { unpaidEarnings } from '../commissions/payout-sql.ts';
import { listReserves } from '../holds/reserves.ts';
import type { Queryable } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { cents, type Cents, documentCentsMax, minCents } from '../core/money.ts';
import { decidePayout, payoutMinimum } from './decide-payout.ts';
import { fillDraft } from './draft-payout.ts';
import { roundsMax } from './payout.ts';
import { shownState, type ShownState } from './payout-states.ts';
import { readPayoutSettings } from './payout-settings-sql.ts';
import { readPayeeEligibility } from './payee-eligibility.ts';
import { applyResultToStores } from './settle-payout.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

/** Runs on the 1st and the 15th of each month. */
export async function runScheduledPayouts(money: Money, now: Date, assessment: PayeeAssessment): Promise<void> {
  const { failures, failed, firstError } = await runPayouts(money, {
    payoutRunId: newId<'prun'>(now),
    startedBy: 'system',
    startedByUserId: null,
    creatorId: null,
    minimum: null,
    isDry: false,
    assessment,
    now,
  });
  if (failures > 0) throw failureOf('Creators could not be paid', failed, firstError);
}

/** The queue runs this task each minute of real time, so that answers of providers are picked up soon. */
export const resumePayoutsTask = 'look_after_payouts';

/** Delivers collected money to the creators' ledgers, then resumes unfinished payouts, also if a delivery failed. */
export async function deliverAndResumePayouts(money: Money, now: Date): Promise<void> {
  try {
    await deliverEarnings(money.platform, now);
  } finally {
    await resumePayouts(money);
  }
}

/** Whether `lookAfterPayouts` has anything to deliver or to continue. */
export async function earliestOpenPayout({ database }: Platform): Promise<Date | null> {
  const first = { after: null, limit: 1 };
  const isAny = (await listStoresWithUndeliveredEntries(database, first)).length > 0 || (await listOpenPayouts(database, first)).length > 0;
  return isAny ? whatIsDue : null;
}

/** Whether a run has anyone to pay, or anything to deliver or to continue first. */
export async function earliestPayout(platform: Platform): Promise<Date | null> {
  const isAny = (await listCreatorsWithFreeEarnings(platform.database, { after: null, limit: 1 })).length > 0;
  return isAny ? whatIsDue : earliestOpenPayout(platform);
}

/** Whether the risk of a pair was assessed. Its earnings are not paid otherwise: they may have arrived after the assessment. */
type IsAssessed = (pair: FreePair) => boolean;

/** Assesses the risk of creators right before they are paid. */
export type PayeeAssessment = {
  readonly assess: (creatorIds: ReadonlyArray<Id<'crt'>>) => Promise<IsAssessed>;
  /** Public IDs of the creators and stores that could not be assessed so far. */
  readonly failed: () => ReadonlySet<string>;
};

/** No payout depends on an assessment. */
export const noAssessment: PayeeAssessment = { assess: async () => () => true, failed: () => new Set() };

export type PayoutRunCommand = {
  readonly payoutRunId: Id<'prun'>;
  readonly startedBy: string;
  readonly startedByUserId: Id<'user'> | null;
  /** Null: all creators. */
  readonly creatorId: Id<'crt'> | null;
  /** Null: the minimum of the schedule or of the settings applies. */
  readonly minimum: Cents | null;
  readonly isDry: boolean;
  readonly assessment: PayeeAssessment;
  readonly now: Date;
};

type CreatorCommand = Omit<PayoutRunCommand, 'creatorId' | 'assessment'> & { readonly isAssessed: IsAssessed };

export type PayoutOfRun = {
  /** Null in a dry run: nothing was made. */
  readonly payoutId: Id<'pay'> | null;
  readonly creatorId: Id<'crt'>;
  readonly amount: Cents;
  readonly state: ShownState;
};

/** `failed`: the creators who could not be paid, and the stores whose entries could not be delivered. */
export type PayoutRunResult = {
  readonly payouts: readonly PayoutOfRun[];
  readonly failures: number;
  readonly failed: readonly string[];
  readonly firstError: unknown;
};

const creatorsPerPage = 500;

/** Pays every creator who may be paid. An error of one creator stops no other; the next run retries what is left. */
export async function runPayouts(money: Money, command: PayoutRunCommand): Promise<PayoutRunResult> {
  const { platform } = money;
  const payouts: PayoutOfRun[] = [];
  const failed: string[] = [];
  let firstError: unknown = null;
  let failures = 0;
  // A failed delivery of one store must not delay the money of the others.
  await deliverEarnings(platform, command.now).catch((error: unknown) => {
    failures += 1;
    firstError ??= error;
    if (error instanceof TenantError) failed.push(...error.tenants);
    platform.log.error({ error: errorForLog(error) }, 'payouts: some earnings could not be delivered before the run');
  });
  if (!command.isDry) await resumePayouts(money);
  for await (const { creatorId, isAssessed } of assessCreators(platform, command)) {
    try {
      const ofCreator = { ...command, isAssessed };
      const payout = await (command.isDry ? planPayout(platform, creatorId, ofCreator) : payCreator(money, creatorId, ofCreator));
      if (payout !== null) payouts.push(payout);
    } catch (error) {
      failures += 1;
      firstError ??= error;
      failed.push(publicId('crt', creatorId));
      platform.log.error({ creator: publicId('crt', creatorId), error: errorForLog(error) }, 'payouts: a creator could not be paid');
    }
  }
  const unassessed = [...command.assessment.failed()];
  if (unassessed.length > 0) firstError ??= new Error('the risk of stores and creators could not be assessed');
  return { payouts, failures: failures + unassessed.length, failed: [...unassessed, ...failed], firstError };
}

type AssessedCreator = { readonly creatorId: Id<'crt'>; readonly isAssessed: IsAssessed };

/** The creators of a run. Each page is assessed when the one before it was paid. */
async function* assessCreators({ database }: Platform, { creatorId: only, assessment }: PayoutRunCommand): AsyncGenerator<AssessedCreator> {
  const bounds = { rowsPerPage: creatorsPerPage, pagesMax: roundsMax };
  const pages = boundedKeysetPages<Id<'crt'>, Id<'crt'>>(bounds, itself, (page) => listCreatorsWithFreeEarnings(database, page));
  for await (const creatorIds of only === null ? pages : [[only]]) {
    const isAssessed = await assessment.assess(creatorIds);
    for (const creatorId of creatorIds) yield { creatorId, isAssessed };
  }
}

/** Returns what a run would pay, and writes nothing. */
async function planPayout(platform: Platform, creatorId: Id<'crt'>, requested: CreatorCommand): Promise<PayoutOfRun | null> {
  const { amount, decision } = await decideForCreator(platform, creatorId, requested);
  if (decision.do === 'wait') return null;
  return { payoutId: null, creatorId, amount, state: decision.as === 'ready' ? 'sending' : 'awaiting_second' };
}

/** Pays one creator. The steps that a run does once for all creators, delivery and resuming, are left out. */
export async function payCreator(money: Money, creatorId: Id<'crt'>, requested: CreatorCommand): Promise<PayoutOfRun | null> {
  const { platform } = money;
  const { database } = platform;
  const { decision, minimum } = await decideForCreator(platform, creatorId, requested);
  if (decision.do === 'wait') return null;
  const { payoutRunId, startedBy, startedByUserId, now } = requested;
  const key = { creatorId, payoutId: newId<'pay'>(now) };
  const begun = { ...key, payoutRunId, startedBy, startedByUserId, begunAt: now, minimumCents: minimum };
  const isOurs = await database.transaction(async (tx) =>
    insertPayout(tx, { ...begun, storeIds: await payableStores(tx, platform, requested, creatorId) }),
  );
  // Another run inserted its payout first, and pays everything.
  if (!isOurs) return null;
  platform.reached('payouts: begun');
  await fillDraft(platform, key, now);
  await sendPayout(money, key);
  await applyResultToStores(platform, key);
  const { state, amountCents } = await readPayout(database, key);
  const shown = shownState(state);
  return shown === null || amountCents === null ? null : { ...key, amount: amountCents, state: shown };
}

type RunScope = Pick<CreatorCommand, 'now' | 'isAssessed'>;

/** Stores with money to pay out, except those in their reserve period and those that were not assessed. */
async function payableStores(
  db: Queryable,
  { config }: Platform,
  { now, isAssessed }: RunScope,
  creatorId: Id<'crt'>,
): Promise<ReadonlyArray<Id<'store'>>> {
  const storeIds = await listStoresWithFreeEarnings(db, creatorId);
  const reserves = await listReserves(db, storeIds, { mode: config.mode, now });
  return storeIds.filter((storeId) => !reserves.has(storeId) && isAssessed({ creatorId, storeId }));
}

/**
 * The creator's ledger has neither holds nor reserve periods; the commission rows have them, and they are read again when the commissions
 * are claimed.
 */
async function payableAmount({ config, database }: Platform, creatorId: Id<'crt'>, { now, isAssessed }: RunScope): Promise<Cents> {
  const free = await sumFreeEarnings(database, creatorId);
  const storeIds = await listStoresWithFreeEarnings(database, creatorId);
  const reserves = await listReserves(database, storeIds, { mode: config.mode, now });
  const reservedStoreIds = storeIds.filter((storeId) => reserves.has(storeId) || !isAssessed({ creatorId, storeId }));
  const { heldCollectedCents, reservedCents } = await unpaidEarnings(database, { creatorId, storeIds, reservedStoreIds, now });
  return minCents(cents(free - minCents(cents(heldCollectedCents + reservedCents), free)), documentCentsMax);
}

async function decideForCreator(platform: Platform, creatorId: Id<'crt'>, { now, minimum: requested, isAssessed }: CreatorCommand) {
  const { database, config } = platform;
  const settings = await readPayoutSettings(database, config.mode);
  const { isSuspended, isUnderReview, ownMinimum, method } = await readPayeeEligibility(database, creatorId);
  const amount = await payableAmount(platform, creatorId, { now, isAssessed });
  const minimum = payoutMinimum({ now, requested, operators: settings.minimumCents, creators: ownMinimum });
  const decision = decidePayout({
    now,
    isSuspended,
    isUnderReview,
    isAnotherUnfinished: (await findUnfinishedPayout(database, creatorId)) !== null,
    amount,
    minimum,
    method,
    secondPersonAbove: settings.secondPersonAboveCents,
  });
  return { amount, minimum, decision };
}
