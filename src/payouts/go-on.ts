import { toldInLog } from '../platform/database/sql-errors.ts';
import { publicId } from '../platform/ids.ts';
import { never } from '../platform/must.ts';
import type { Money } from '../providers/providers.ts';
import { gatherPayout } from './gather.ts';
import { roundsMax, type Payout, type PayoutKey } from './payout.ts';
import { askAfterPayout, failureNow, sendPayout } from './send.ts';
import { fail } from './settle.ts';
import { lockPayout, openPayouts } from './sql.ts';
import { tellStores } from './tell.ts';

const payoutsPerRound = 200;

/**
 * Goes on with every payout that is not at its end, wherever somebody died or an answer is missing. It may run at any time, also
 * beside a run: each step is judged under its lock.
 */
export async function goOnWithPayouts(money: Money): Promise<void> {
  const { database, log } = money.platform;
  let after: PayoutKey | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const open: readonly Payout[] = await openPayouts(database, { after, limit: payoutsPerRound });
    for (const payout of open) {
      try {
        await goOn(money, payout);
      } catch (error) {
        log.error({ payout: publicId('pay', payout.payoutId), error: toldInLog(error) }, 'payouts: could not go on with one');
      }
    }
    if (open.length < payoutsPerRound) return;
    after = open.at(-1) ?? null;
  }
}

async function goOn(money: Money, payout: Payout): Promise<void> {
  const { platform } = money;
  switch (payout.state) {
    case 'gathering':
      await gatherPayout(platform, payout, platform.clock.now());
      await sendPayout(money, payout);
      break;
    case 'awaiting_second':
      await giveUpWhereNobodyMayBePaid(money, payout);
      break;
    case 'ready':
      await sendPayout(money, payout);
      break;
    case 'sending':
    case 'unknown':
      await askAfterPayout(money, payout);
      break;
    case 'paid':
    case 'failed':
    case 'returned':
    case 'given_up':
      break;
    default:
      never(payout.state);
  }
  await tellStores(platform, payout);
}

/** A suspension or news of an earlier payout stops what waits for its second person; a changed method is confirmed anew, of a new one. */
async function giveUpWhereNobodyMayBePaid({ platform }: Money, key: PayoutKey): Promise<void> {
  const at = platform.clock.now();
  await platform.database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (payout.state !== 'awaiting_second') return;
    const failure = await failureNow(tx, platform, payout);
    if (failure !== null) await fail(tx, platform, { payout, failure, at });
  });
}
