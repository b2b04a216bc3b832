import { containsWithheld } from '../commissions/payout-sql.ts';
import { isCreatorOnHold, listStoresOnHold } from '../holds/holds-sql.ts';
import { listReserves } from '../holds/reserves.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { MoneyOutcome } from '../payments/provider.ts';
import type { Money } from '../payments/providers.ts';
import { isStillConfirmed } from './confirm-payout.ts';
import { payoutRules } from '../money-movement/decide-resume.ts';
import { applyEvent, resumeMovement, sendMovement, type EventResult, type MovementKind } from '../money-movement/protocol.ts';
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
import { apiMessage } from '../messages/api-message.ts';

const referenceOf = ({ payoutId }: PayoutKey): string => publicId('pay', payoutId);

const payoutKind: MovementKind<PayoutKey, Payout, null> = {
  module: 'payouts',
  rules: payoutRules,
  read: readPayout,
  referenceOf,
  intentOf({ creatorId, payoutId, amountCents, instrument, providerId }) {
    invariant(amountCents !== null && instrument !== null, 'a payout that is sent is no longer a draft');
    const reference = referenceOf({ creatorId, payoutId });
    return { reference, amount: amountCents, instrument, description: `Tributary payout ${reference}`, providerId };
  },
  providerOf(providers, payout) {
    const provider = payout.provider && providers.payoutProvider(payout.provider);
    return provider && { ...provider, send: (intent) => provider.pay(intent), lookUp: (intent) => provider.lookUpPayout(intent) };
  },
  callsOf: ({ sentAt, calledAt, providerId }) =>
    sentAt === null || calledAt === null ? null : { keyFrom: sentAt, lastCalledAt: calledAt, isAccepted: providerId !== null },
  commitSending: (platform, key, attempt) =>
    platform.database.transaction((tx) => (attempt === 'first' ? markSending(tx, platform, key) : markSendingAgain(tx, platform, key))),
  async settle(platform, key, outcome) {
    await settlePayout(platform, key, outcome.is === 'absent' ? neverArrived : outcome);
    return null;
  },
  // An event about a payout that ended is trusted, because it can only raise a contradiction.
  onEvent: ({ state }) => (isPayoutInTransit(state) ? 'look_up' : 'settle'),
};

const neverArrived = {
  is: 'declined',
  providerId: null,
  code: 'never_arrived',
  message: apiMessage('send_payout.provider_has_no_record_payout'),
} as const satisfies MoneyOutcome;

/**
 * Sends a payout that is ready. Uses the current time, not the job's due time: after downtime, a call that was just made must not look old.
 */
export async function sendPayout(money: Money, key: PayoutKey): Promise<void> {
  // A draft that was given up has no provider.
  const { state } = await readPayout(money.platform.database, key);
  if (state === 'ready') await sendMovement(payoutKind, money, key, 'first');
}

async function markSending(tx: Transaction, platform: Platform, key: PayoutKey): Promise<Payout | null> {
  const payout = await lockPayout(tx, key);
  if (payout.state !== 'ready') return null;
  if (!(await isStillConfirmed(tx, platform, payout))) {
    await saveUnconfirmed(tx, key);
    return null;
  }
  const now = platform.clock.now();
  const failure = await findFailureBeforeSending(tx, platform, payout);
  if (failure === null) await saveSending(tx, key, now);
  else await failPayout(tx, platform, { payout, failure, at: now });
  return failure === null ? payout : null;
}

async function markSendingAgain(tx: Transaction, platform: Platform, key: PayoutKey): Promise<Payout | null> {
  const payout = await lockPayout(tx, key);
  if (!isPayoutInTransit(payout.state)) return null;
  // A payout that the provider does not know is not sent again either. It fails as soon as its absence is certain.
  if (await isEarlierContradicted(tx, key.creatorId)) return null;
  if (await containsHeldMoney(tx, platform, payout)) return null;
  await saveSendingAgain(tx, key, platform.clock.now());
  return payout;
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
      await resumeMovement(payoutKind, money, payout);
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

/** Handles a webhook event about a payout, also before our own call was answered, and any number of times. */
export async function handlePayoutEvent(money: Money, reference: string, outcome: MoneyOutcome): Promise<EventResult> {
  const key = await keyOf(money, reference);
  if (key === null) return 'not_ours';
  const { is } = await applyEvent(payoutKind, money, key, outcome);
  if (is === 'applied') await applyResultToStores(money.platform, key);
  return is;
}

/** The bank returned the payout, days or weeks after it was paid. */
export async function handlePayoutReturned(
  money: Money,
  { reference, why }: { readonly reference: string; readonly why: string },
): Promise<EventResult> {
  const key = await keyOf(money, reference);
  if (key === null) return 'not_ours';
  await settlePayout(money.platform, key, { is: 'returned', why });
  await applyResultToStores(money.platform, key);
  return 'applied';
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
