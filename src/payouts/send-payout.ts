import { containsWithheld } from '../commissions/payout-sql.ts';
import { isCreatorOnHold, listStoresOnHold } from '../holds/holds-sql.ts';
import { listReserves } from '../holds/reserves.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { MoneyIntent, MoneyOutcome, PayoutProvider } from '../payments/provider.ts';
import type { Money } from '../payments/providers.ts';
import { isStillConfirmed } from './confirm-payout.ts';
import { callProvider } from '../money-movement/call-provider.ts';
import { decideResume, mayBeLookedUp, payoutRules } from '../money-movement/decide-resume.ts';
import { type Failure, failureBeforeSending } from './decide-payout.ts';
import { isPayoutInTransit } from './payout-states.ts';
import { contradictionOf, type Payout, type PayoutKey, roundsMax } from './payout.ts';
import { applyResultToStores, failPayout, settlePayout } from './settle-payout.ts';
import {
  findPayoutKey,
  listAmountsOfPayout,
  listOpenPayouts,
  lockFailedOf,
  lockPayout,
  readPayout,
  saveSending,
  saveSendingAgain,
  saveUnconfirmed,
} from './payouts-sql.ts';
import { readPayeeEligibility } from './payee-eligibility.ts';
import { fillDraft } from './draft-payout.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

/**
 * Sends a payout that is ready: commits it as `sending`, calls the provider, and settles the answer. Uses the current time, not the
 * job's due time: after downtime, a call that was just made must not look old.
 */
export async function sendPayout(money: Money, key: PayoutKey): Promise<void> {
  const { platform } = money;
  const now = platform.clock.now();
  const isSending = await platform.database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (payout.state !== 'ready') return false;
    if (!(await isStillConfirmed(tx, platform, payout))) {
      await saveUnconfirmed(tx, key);
      return false;
    }
    const failure = await findFailureBeforeSending(tx, platform, payout);
    if (failure === null) await saveSending(tx, key, now);
    else await failPayout(tx, platform, { payout, failure, at: now });
    return failure === null;
  });
  platform.reached('payouts: sending');
  if (isSending) await callAndSettle(money, key);
}

/** Why the payout cannot be sent now. The caller must hold the payout lock. */
export async function findFailureBeforeSending(tx: Transaction, platform: Platform, payout: Payout): Promise<Failure | null> {
  const { creatorId, payoutMethodId } = payout;
  const { isSuspended, isUnderReview, method } = await readPayeeEligibility(tx, creatorId);
  return failureBeforeSending({
    isSuspended,
    isKeptBack: isUnderReview || (await containsHeldMoney(tx, platform, payout)),
    isEarlierContradicted: await isEarlierContradicted(tx, creatorId),
    payoutMethodId,
    method,
  });
}

/**
 * A hold or a reserve period may begin after the payout was drafted. The payout then fails before it is sent: its commissions are free,
 * and the next run pays those that are not on hold.
 */
async function containsHeldMoney(tx: Queryable, { config, clock }: Platform, payout: Payout): Promise<boolean> {
  const storeIds = (await listAmountsOfPayout(tx, payout)).map(({ storeId }) => storeId);
  if ((await listReserves(tx, storeIds, { mode: config.mode, now: clock.now() })).size > 0) return true;
  for (const storeId of await listStoresOnHold(tx, storeIds)) {
    if (await containsWithheld(tx, { storeId, payoutId: payout.payoutId })) return true;
  }
  return false;
}

/** Whether a payout that a person is to pay manually must not be paid now. */
export const isOnHoldNow = async (db: Queryable, platform: Platform, payout: Payout): Promise<boolean> =>
  (await isCreatorOnHold(db, payout.creatorId)) || (await containsHeldMoney(db, platform, payout));

/**
 * An event about an earlier payout and the sending of this one both lock the row of the earlier payout, so that each sees what the other
 * wrote. (The lock on the creator's row is taken in the opposite order by an erasure, and would deadlock.)
 */
const isEarlierContradicted = async (tx: Transaction, creatorId: Payout['creatorId']): Promise<boolean> =>
  (await lockFailedOf(tx, creatorId)).some((failed) => contradictionOf(failed) === 'open');

async function callAndSettle(money: Money, key: PayoutKey): Promise<void> {
  const { platform } = money;
  const payout = await readPayout(platform.database, key);
  const provider = providerOf(money, payout);
  if (provider === null) return;
  const outcome = await callProvider(platform, 'payouts', () => provider.pay(intentOf(payout)));
  platform.reached('payouts: answered');
  await settlePayout(platform, key, outcome);
}

/** Looks up a payout that was sent. One that stays unknown is looked up again by each run, without an end. */
export async function lookUpSentPayout(money: Money, key: PayoutKey): Promise<void> {
  const { platform } = money;
  const payout = await readPayout(platform.database, key);
  const provider = providerOf(money, payout);
  if (provider === null || payout.sentAt === null || payout.calledAt === null) return;
  const now = platform.clock.now();
  const calls = { keyFrom: payout.sentAt, lastCalledAt: payout.calledAt, isAccepted: payout.providerId !== null };
  if (!mayBeLookedUp(payoutRules, calls, now)) return;
  const found = await provider.lookUpPayout(intentOf(payout));
  platform.reached('payouts: looked up');
  const decision = decideResume(payoutRules, { calls, provider, found: found.is, now });
  switch (decision) {
    case 'settle':
      invariant(found.is !== 'absent', 'an absent payout has no outcome');
      return settlePayout(platform, key, found);
    case 'send_again':
      return resendPayout(money, key);
    case 'never_arrived':
      return settlePayout(platform, key, neverArrived);
    case 'missing':
      return platform.log.error(
        { payout: publicId('pay', payout.payoutId) },
        'payouts: the provider accepted a payout and does not find it now; ask the provider',
      );
    case 'wait':
      return;
    default:
      return never(decision);
  }
}

const neverArrived = {
  is: 'declined',
  providerId: null,
  code: 'never_arrived',
  message: 'The provider knows nothing of it: it was never sent.',
} as const satisfies MoneyOutcome;

async function resendPayout(money: Money, key: PayoutKey): Promise<void> {
  const isOpen = await money.platform.database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (!isPayoutInTransit(payout.state)) return false;
    // A payout that the provider does not know is not sent again either. It fails as soon as its absence is certain.
    if (await isEarlierContradicted(tx, key.creatorId)) return false;
    if (await containsHeldMoney(tx, money.platform, payout)) return false;
    await saveSendingAgain(tx, key, money.platform.clock.now());
    return true;
  });
  if (isOpen) await callAndSettle(money, key);
}

/** Returns the same bytes each time, since nothing in it changes after the draft. */
export function intentOf(payout: Payout): MoneyIntent {
  const { payoutId, amountCents, instrument, providerId } = payout;
  invariant(amountCents !== null && instrument !== null, 'a payout that is sent is no longer a draft');
  const reference = publicId('pay', payoutId);
  return { reference, amount: amountCents, instrument, description: `Tributary payout ${reference}`, providerId };
}

/** Null: the provider is not configured, such as Stripe without its key. The payout then waits, and the log says so. */
export function providerOf({ platform, providers }: Money, { provider, payoutId }: Payout): PayoutProvider | null {
  const found = provider === null ? null : providers.payoutProvider(provider);
  if (found === null)
    platform.log.error({ payout: publicId('pay', payoutId), provider }, 'payouts: the payment provider is not configured');
  return found;
}

const payoutsPerPage = 200;

/**
 * Resumes every unfinished payout, after a crash or a missing answer. It may run at any time, also beside a run, because each step
 * decides under the payout lock.
 */
export async function resumePayouts(money: Money): Promise<void> {
  const { database, log } = money.platform;
  const pages = boundedKeysetPages<Payout, PayoutKey>({ rowsPerPage: payoutsPerPage, pagesMax: roundsMax }, itself, (page) =>
    listOpenPayouts(database, page),
  );
  for await (const open of pages) {
    for (const payout of open) {
      try {
        await resumePayout(money, payout);
      } catch (error) {
        log.error(
          { payout: publicId('pay', payout.payoutId), error: errorForLog(error) },
          'payouts: an unfinished payout could not be resumed',
        );
      }
    }
  }
}

async function resumePayout(money: Money, payout: Payout): Promise<void> {
  const { platform } = money;
  switch (payout.state) {
    case 'gathering':
      await fillDraft(platform, payout, platform.clock.now());
      await sendPayout(money, payout);
      break;
    case 'awaiting_second':
      await failIfNoLongerPayable(money, payout);
      break;
    case 'ready':
      await sendPayout(money, payout);
      break;
    case 'sending':
    case 'unknown':
      await lookUpSentPayout(money, payout);
      break;
    case 'paid':
    case 'failed':
    case 'returned':
    case 'given_up':
      break;
    default:
      never(payout.state);
  }
  await applyResultToStores(platform, payout);
}

/** A suspension or an event about an earlier payout stops one that awaits a second person. */
async function failIfNoLongerPayable({ platform }: Money, key: PayoutKey): Promise<void> {
  const at = platform.clock.now();
  await platform.database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (payout.state !== 'awaiting_second') return;
    const failure = await findFailureBeforeSending(tx, platform, payout);
    if (failure !== null) await failPayout(tx, platform, { payout, failure, at });
  });
}

/** `later`: the provider does not confirm the event yet and has to send it again. */
export type PayoutEventResult = 'taken' | 'not_ours' | 'later';

/**
 * Handles a webhook event about a payout, also before our own call was answered, and any number of times. Looks the payout up before it
 * trusts the event, by the provider's ID if the event has it, because a search lags behind.
 */
export async function handlePayoutEvent(money: Money, reference: string, outcome: MoneyOutcome): Promise<PayoutEventResult> {
  const { platform } = money;
  const key = await keyOf(money, reference);
  if (key === null) return 'not_ours';
  const payout = await readPayout(platform.database, key);
  if (isPayoutInTransit(payout.state)) {
    const provider = providerOf(money, payout);
    if (provider === null) return 'later';
    const reportedId = 'providerId' in outcome ? outcome.providerId : null;
    const found = await provider.lookUpPayout({ ...intentOf(payout), providerId: reportedId ?? payout.providerId });
    if (found.is === 'absent' || found.is === 'unknown') return 'later';
    await settlePayout(platform, key, found);
  } else {
    await settlePayout(platform, key, outcome);
  }
  await applyResultToStores(platform, key);
  return 'taken';
}

/** The bank returned the payout, days or weeks after it was paid. */
export async function handlePayoutReturned(
  money: Money,
  { reference, why }: { readonly reference: string; readonly why: string },
): Promise<PayoutEventResult> {
  const key = await keyOf(money, reference);
  if (key === null) return 'not_ours';
  await settlePayout(money.platform, key, { is: 'returned', why });
  await applyResultToStores(money.platform, key);
  return 'taken';
}

/** The provider of the payout. Null: the payout is not ours or was not sent yet. */
export async function providerOfPayout(db: Queryable, reference: string): Promise<Payout['provider']> {
  const payoutId = readPublicId('pay', reference);
  const key = payoutId === null ? null : await findPayoutKey(db, payoutId);
  return key === null ? null : (await readPayout(db, key)).provider;
}

const referenceShownMax = 60;

async function keyOf({ platform }: Money, reference: string): Promise<PayoutKey | null> {
  const payoutId = readPublicId('pay', reference);
  const key = payoutId === null ? null : await findPayoutKey(platform.database, payoutId);
  if (key === null)
    platform.log.warn({ reference: reference.slice(0, referenceShownMax) }, 'payouts: a webhook event names an unknown payout');
  return key;
}
