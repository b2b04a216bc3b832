import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { hasSeen, noteMoney } from './installation-sql.ts';
import type { ChargeProvider, PayoutProvider } from './provider.ts';

/**
 * Real and pretended money never meet in one database. A sandbox with real commissions in it would pay nobody and say that
 * it did; a live service with pretended collections in it would pay creators real money for them. Asked at every start,
 * before anything runs; what is thrown is read by the person at the keyboard.
 */
export async function keepMoneyApart({ config, database }: Pick<Platform, 'config' | 'database'>): Promise<void> {
  if (config.mode === 'sandbox') {
    if (!(await hasSeen(database, 'real money'))) return;
    throw new Error('a live key was used on this database, so it is no sandbox; set MODE to "live", or take another database');
  }
  if (await hasSeen(database, 'pretended money')) {
    throw new Error('pretended money was moved in this database, so it cannot go live; take a new one, and keep this for trying out');
  }
  if (config.stripe?.isLive === true) await noteMoney(database, 'real money', realNow());
}

/**
 * The mark is committed before the first call, by every process once. A sandbox that was running when a live service began on
 * its database stops here. Nothing is noted where real money moves: the start did.
 */
function noted({ config, database }: Platform): () => Promise<void> {
  let isNoted = config.mode === 'live';
  return async () => {
    if (isNoted) return;
    await noteMoney(database, 'pretended money', realNow());
    must(!(await hasSeen(database, 'real money')), 'no pretended money is moved in a database with real money');
    isNoted = true;
  };
}

export function notedCharges(platform: Platform, provider: ChargeProvider): ChargeProvider {
  const note = noted(platform);
  return { ...provider, charge: (intent) => note().then(() => provider.charge(intent)) };
}

export function notedPayouts(platform: Platform, provider: PayoutProvider): PayoutProvider {
  const note = noted(platform);
  return { ...provider, pay: (intent) => note().then(() => provider.pay(intent)) };
}
