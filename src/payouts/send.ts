import { containsKeptBack } from '../commissions/payout-sql.ts';
import { isCreatorOnHold, storesOnHold } from '../holds/holds-sql.ts';
import { reservesOf } from '../holds/reserves.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { publicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import type { MoneyIntent, MoneyOutcome, PayoutProvider } from '../providers/provider.ts';
import type { Money } from '../providers/providers.ts';
import { isStillConfirmed } from './confirmations.ts';
import { decideAsk, isSurelyAbsent, type Failure } from './decide-payout-end.ts';
import { failureBeforeSending } from './decide-send.ts';
import { contradictionOf, type Payout, type PayoutKey } from './payout.ts';
import { fail, settle } from './settle.ts';
import { amountsOfPayout, keepAsked, keepUnconfirmed, lockFailedOf, lockPayout, readPayout } from './sql.ts';
import { standingOf } from './standing.ts';

/**
 * Sends what is ready: the intent is committed as `sending`, then the call, then what it was answered. By the clock, not by when
 * the job was due: after a long pause of the service a call that was just made must not look like an old one.
 */
export async function sendPayout(money: Money, key: PayoutKey): Promise<void> {
  const { platform } = money;
  const now = platform.clock.now();
  const isSending = await platform.database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (payout.state !== 'ready') return false;
    if (!(await isStillConfirmed(tx, platform, payout))) {
      await keepUnconfirmed(tx, key);
      return false;
    }
    const failure = await failureNow(tx, platform, payout);
    if (failure === null) await keepAsked(tx, key, now);
    else await fail(tx, platform, { payout, failure, at: now });
    return failure === null;
  });
  platform.reached('payouts: sending');
  if (isSending) await pay(money, key);
}

/** Why it cannot be sent as things are. Who calls this holds the payout. */
export async function failureNow(tx: Transaction, platform: Platform, payout: Payout): Promise<Failure | null> {
  const { creatorId, payoutMethodId } = payout;
  const { isSuspended, isUnderReview, method } = await standingOf(tx, creatorId);
  return failureBeforeSending({
    isSuspended,
    isKeptBack: isUnderReview || (await containsSomethingKeptBack(tx, platform, payout)),
    isEarlierContradicted: await isEarlierContradicted(tx, creatorId),
    payoutMethodId,
    method,
  });
}

/**
 * A hold may begin, or an operator set a reserve period, after the payout was gathered. The payout then fails before it is sent: its
 * commissions are free, and the next run pays those that are not kept back.
 */
async function containsSomethingKeptBack(tx: Queryable, { config, clock }: Platform, payout: Payout): Promise<boolean> {
  const storeIds = (await amountsOfPayout(tx, payout)).map(({ storeId }) => storeId);
  if ((await reservesOf(tx, storeIds, { mode: config.mode, now: clock.now() })).size > 0) return true;
  for (const storeId of await storesOnHold(tx, storeIds)) {
    if (await containsKeptBack(tx, { storeId, payoutId: payout.payoutId })) return true;
  }
  return false;
}

/** Of a payout that a person was handed to pay: whether it must not be paid now. */
export const isKeptBackNow = async (db: Queryable, platform: Platform, payout: Payout): Promise<boolean> =>
  (await isCreatorOnHold(db, payout.creatorId)) || (await containsSomethingKeptBack(db, platform, payout));

/**
 * The news of an earlier payout and the sending of this one meet at the earlier one's row. Whoever comes second waits for the
 * first: what is sent saw all news before it, and the news finds what was sent before it on its way. (The row of the creator
 * would do too; but erasing one writes it before their payouts, so that the two would be locked in both orders.)
 */
const isEarlierContradicted = async (tx: Transaction, creatorId: Payout['creatorId']): Promise<boolean> =>
  (await lockFailedOf(tx, creatorId)).some((failed) => contradictionOf(failed) === 'open');

async function pay(money: Money, key: PayoutKey): Promise<void> {
  const { platform } = money;
  const payout = await readPayout(platform.database, key);
  const provider = providerOf(money, payout);
  if (provider === null) return;
  const outcome = await heard(platform, () => provider.pay(intentOf(payout)));
  platform.reached('payouts: answered');
  await settle(platform, key, outcome);
}

/** Asks about one that is on its way. What is still unknown after it is asked about again the next time, for ever. */
export async function askAfterPayout(money: Money, key: PayoutKey): Promise<void> {
  const { platform } = money;
  const payout = await readPayout(platform.database, key);
  const provider = providerOf(money, payout);
  if (provider === null || payout.sentAt === null || payout.askedAt === null) return;
  const now = platform.clock.now();
  const ask = decideAsk({ now, sentAt: payout.sentAt, askedAt: payout.askedAt, keyLifeMs: provider.keyLifeMs });
  if (ask === 'not_yet') return;
  const found = await provider.lookUpPayout(intentOf(payout));
  platform.reached('payouts: looked up');
  // A look-up that was not answered says nothing of the payout.
  if (found.is === 'unknown') return;
  if (found.is !== 'absent') return settle(platform, key, found);
  // What was accepted is neither sent again nor given up, whatever the provider knows of it now: somebody has to ask there.
  if (payout.providerId !== null) {
    platform.log.error({ payout: publicId('pay', payout.payoutId) }, 'payouts: its provider accepted one, and knows nothing of it now');
    return;
  }
  if (ask === 'look_up_then_pay') return payAgain(money, key);
  if (!isSurelyAbsent({ now, askedAt: payout.askedAt }, provider.absentIsSureAfterMs)) return;
  const message = 'The provider knows nothing of it: it was never sent.';
  await settle(platform, key, { is: 'declined', providerId: null, code: 'never_arrived', message });
}

async function payAgain(money: Money, key: PayoutKey): Promise<void> {
  const isOpen = await money.platform.database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (payout.state !== 'sending' && payout.state !== 'unknown') return false;
    // What the provider knows nothing of is not sent again either: it fails by itself, once that is sure.
    if (await isEarlierContradicted(tx, key.creatorId)) return false;
    if (await containsSomethingKeptBack(tx, money.platform, payout)) return false;
    await keepAsked(tx, key, money.platform.clock.now());
    return true;
  });
  if (isOpen) await pay(money, key);
}

/** The same bytes each time: nothing in it changes once it was gathered. */
export function intentOf(payout: Payout): MoneyIntent {
  const { payoutId, amountCents, instrument, providerId } = payout;
  must(amountCents !== null && instrument !== null, 'what is sent was gathered');
  const reference = publicId('pay', payoutId);
  return { reference, amount: amountCents, instrument, description: `Tributary payout ${reference}`, providerId };
}

/** Null where this process may not use it any more, such as Stripe without its key: then it waits, and the log says so. */
export function providerOf({ platform, providers }: Money, { provider, payoutId }: Payout): PayoutProvider | null {
  const found = provider === null ? null : providers.payoutProvider(provider);
  if (found === null) platform.log.error({ payout: publicId('pay', payoutId), provider }, 'payouts: its provider is not set up here');
  return found;
}

/** A provider that throws has said nothing: the call may have happened or not. */
async function heard({ log }: Platform, call: () => Promise<MoneyOutcome>): Promise<MoneyOutcome> {
  try {
    return await call();
  } catch (error) {
    log.error({ error: toldInLog(error) }, 'payouts: a call to the provider broke');
    return { is: 'unknown', why: error instanceof Error ? error.message : String(error) };
  }
}
