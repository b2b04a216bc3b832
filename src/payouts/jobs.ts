import { newId } from '../platform/ids.ts';
import { failureOf } from '../platform/tenant-failures.ts';
import type { Money } from '../providers/providers.ts';
import { deliverToCreators } from './deliver.ts';
import { goOnWithPayouts } from './go-on.ts';
import { runPayouts } from './run.ts';

/** The job of the 1st and the 15th. */
export async function payCreators(money: Money, now: Date): Promise<void> {
  const { failures, failed, firstError } = await runPayouts(money, {
    payoutRunId: newId<'prun'>(now),
    startedBy: 'system',
    startedByUserId: null,
    creatorId: null,
    minimum: null,
    isDry: false,
    now,
  });
  if (failures > 0) throw failureOf('Creators could not be paid', failed, firstError);
}

/** The queue's name for the same by real time: each minute, so that nobody waits long for what only has to be looked at. */
export const lookAfterPayoutsTask = 'look_after_payouts';

/**
 * Delivers what stores have told, and goes on with what is not at its end, also where something could not be delivered. Most of the
 * time there is nothing of either.
 */
export async function lookAfterPayouts(money: Money, now: Date): Promise<void> {
  try {
    await deliverToCreators(money.platform, now);
  } finally {
    await goOnWithPayouts(money);
  }
}
