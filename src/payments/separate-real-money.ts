import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { realNow } from '../core/time.ts';
import { hasMoneyKind, recordMoneyKind } from './installation-sql.ts';
import type { ChargeProvider, PayoutProvider } from './provider.ts';

/**
 * Rejects a database with the other kind of money at every start, before anything runs. A sandbox with real commissions would report
 * payouts that never happened; a live service with sandbox charges would pay real money for them.
 */
export async function refuseMixedMoney({ config, database }: Pick<Platform, 'config' | 'database'>): Promise<void> {
  if (config.mode === 'sandbox') {
    if (!(await hasMoneyKind(database, 'real money'))) return;
    throw new Error('a live key was used on this database, so it is no sandbox; set MODE to "live", or take another database');
  }
  if (await hasMoneyKind(database, 'pretended money')) {
    throw new Error('pretended money was moved in this database, so it cannot go live; take a new one, and keep this for trying out');
  }
  if (config.stripe?.isLive === true) await recordMoneyKind(database, 'real money', realNow());
}

/**
 * Each process commits the mark once before its first call, so that a running sandbox stops when a live service has started with its
 * database. Live mode needs no mark here, because the start recorded it.
 */
function recordSandboxMoney({ config, database }: Platform): () => Promise<void> {
  let isNoted = config.mode === 'live';
  return async () => {
    if (isNoted) return;
    await recordMoneyKind(database, 'pretended money', realNow());
    invariant(!(await hasMoneyKind(database, 'real money')), 'a database with real money is not used as a sandbox');
    isNoted = true;
  };
}

export function recordingCharges(platform: Platform, provider: ChargeProvider): ChargeProvider {
  const note = recordSandboxMoney(platform);
  return { ...provider, charge: (intent) => note().then(() => provider.charge(intent)) };
}

export function recordingPayouts(platform: Platform, provider: PayoutProvider): PayoutProvider {
  const note = recordSandboxMoney(platform);
  return { ...provider, pay: (intent) => note().then(() => provider.pay(intent)) };
}
