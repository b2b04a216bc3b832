import type { Queryable } from '../platform/database/database.ts';
import { readPublicId } from '../platform/ids.ts';
import type { MoneyOutcome } from '../providers/provider.ts';
import type { Money } from '../providers/providers.ts';
import type { Payout, PayoutKey } from './payout.ts';
import { intentOf, providerOf } from './send.ts';
import { settle } from './settle.ts';
import { payoutKeyOf, readPayout } from './sql.ts';
import { tellStores } from './tell.ts';

/** `later`: the provider would not say whether it is so, and has to send its news again. */
export type PayoutNewsEnd = 'taken' | 'not_ours' | 'later';

/**
 * News of a payout, perhaps before our own call was answered, perhaps the fifth time. What it says is looked up before it is
 * believed to be an end: by the name that it brings, which no search lags behind.
 */
export async function settlePayout(money: Money, reference: string, outcome: MoneyOutcome): Promise<PayoutNewsEnd> {
  const { platform } = money;
  const key = await keyOf(money, reference);
  if (key === null) return 'not_ours';
  const payout = await readPayout(platform.database, key);
  if (payout.state === 'sending' || payout.state === 'unknown') {
    const provider = providerOf(money, payout);
    if (provider === null) return 'later';
    const told = 'providerId' in outcome ? outcome.providerId : null;
    const found = await provider.lookUpPayout({ ...intentOf(payout), providerId: told ?? payout.providerId });
    if (found.is === 'absent' || found.is === 'unknown') return 'later';
    await settle(platform, key, found);
  } else {
    await settle(platform, key, outcome);
  }
  await tellStores(platform, key);
  return 'taken';
}

/** The bank sent it back, days or weeks after it was paid. */
export async function payoutReturned(
  money: Money,
  { reference, why }: { readonly reference: string; readonly why: string },
): Promise<PayoutNewsEnd> {
  const key = await keyOf(money, reference);
  if (key === null) return 'not_ours';
  await settle(money.platform, key, { is: 'returned', why });
  await tellStores(money.platform, key);
  return 'taken';
}

/** Who was told to pay it; null where it is none of ours, or nobody was told yet. */
export async function providerOfPayout(db: Queryable, reference: string): Promise<Payout['provider']> {
  const payoutId = readPublicId('pay', reference);
  const key = payoutId === null ? null : await payoutKeyOf(db, payoutId);
  return key === null ? null : (await readPayout(db, key)).provider;
}

const referenceShownMax = 60;

async function keyOf({ platform }: Money, reference: string): Promise<PayoutKey | null> {
  const payoutId = readPublicId('pay', reference);
  const key = payoutId === null ? null : await payoutKeyOf(platform.database, payoutId);
  if (key === null) platform.log.warn({ reference: reference.slice(0, referenceShownMax) }, 'payouts: news of what is not ours');
  return key;
}
