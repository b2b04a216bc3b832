import { errorForLog } from '../db/sql-errors.ts';
import type { LookedUp, MoneyOutcome } from '../payments/provider.ts';
import type { Platform } from '../runtime/platform.ts';

/** An exception does not say whether the money moved, so the outcome is `unknown`. */
export async function callProvider<Outcome extends LookedUp>(
  { log }: Pick<Platform, 'log'>,
  module: 'billing' | 'payouts',
  call: () => Promise<Outcome>,
): Promise<Outcome | MoneyOutcome> {
  try {
    return await call();
  } catch (error) {
    log.error({ error: errorForLog(error) }, `${module}: a call to a payment provider failed`);
    return { is: 'unknown', why: 'the call failed on our side' };
  }
}
