import type { Queryable } from '../platform/database/database.ts';
import { readPublicId } from '../platform/ids.ts';
import type { MoneyOutcome } from '../providers/provider.ts';
import type { Money } from '../providers/providers.ts';
import { chargeInvoice, lookUp } from './charge.ts';
import { findCharge, storeOfCharge, type Charge, type ChargeKey } from './charges-sql.ts';
import { settle } from './settle.ts';

/** `not_now`: it is one of ours, and its end cannot be known yet; the provider is to tell it again. */
export type NewsEnd = 'done' | 'not_ours' | 'not_now';

/** What a provider told of a charge by itself, in any order and however often. It is looked up before it is believed. */
export async function settleCharge(money: Money, reference: string, outcome: MoneyOutcome): Promise<NewsEnd> {
  const key = await keyOfReference(money.platform.database, reference);
  if (key === null) return 'not_ours';
  const providerId = 'providerId' in outcome ? outcome.providerId : null;
  return (await lookUpAndSettle(money, key, providerId)) ? 'done' : 'not_now';
}

export async function keyOfReference(db: Queryable, reference: string): Promise<ChargeKey | null> {
  const chargeId = readPublicId('chg', reference);
  const storeId = chargeId && (await storeOfCharge(db, chargeId));
  return chargeId && storeId ? { storeId, chargeId } : null;
}

/** Who was asked for it; null where it is none of ours. */
export async function providerOfCharge(db: Queryable, reference: string): Promise<Charge['provider'] | null> {
  const key = await keyOfReference(db, reference);
  return (key && (await findCharge(db, key)))?.provider ?? null;
}

/** By the provider's own name, where its news said it, a look-up does not lag behind. False: the provider did not say. */
export async function lookUpAndSettle(money: Money, key: ChargeKey, providerId: string | null): Promise<boolean> {
  const { platform, providers } = money;
  const charge = await findCharge(platform.database, key);
  const provider = charge && providers.chargeProvider(charge.provider);
  if (charge === null || provider === null) return false;
  if (charge.state === 'succeeded') return true;
  const found = await lookUp(platform, provider, { ...charge, providerId: providerId ?? charge.providerId });
  if (found.is === 'absent' || found.is === 'unknown') return false;
  const isAgain = await settle(platform, key, found, platform.clock.now());
  if (isAgain) await chargeInvoice(money, charge, 'due');
  return true;
}
