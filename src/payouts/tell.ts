import { figuresOfPaid } from '../commissions/figures.ts';
import { tellCreators } from '../commissions/outbox-sql.ts';
import { payCommissions, releaseFromPayout } from '../commissions/payout-sql.ts';
import { addStoreFigures } from '../figures/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { takeOutOfPayout } from './earnings-sql.ts';
import { roundsMax, rowsPerTransactionMax, type Payout, type PayoutKey } from './payout.ts';
import { keepStoreTold, keepTold, readPayout, storesToTell, type Told } from './sql.ts';

/**
 * Tells the stores how a payout ended: their commissions are paid, or free for the next one. Nothing is posted here, for all
 * of it was posted when it ended. Whoever comes after a death goes on; two at once do the same thing.
 */
export async function tellStores(platform: Platform, key: PayoutKey): Promise<void> {
  const { database, reached, clock } = platform;
  const now = clock.now();
  const payout = await readPayout(database, key);
  const told = toldOf(payout);
  if (told === null || payout.toldAt !== null) return;
  // First the creator's own rows: once a commission is free, so is its earning.
  if (told === 'released') await takeAllOut(platform, payout);
  for (const storeId of await storesToTell(database, payout, told)) {
    await tellStore(platform, payout, { storeId, told, now });
    await keepStoreTold(database, payout, { storeId, told });
    reached('payouts: store told');
  }
  await keepTold(database, payout, now);
}

function toldOf({ state }: Payout): Told | null {
  if (state === 'paid') return 'paid';
  return state === 'failed' || state === 'returned' || state === 'given_up' ? 'released' : null;
}

async function takeAllOut({ database, reached }: Platform, key: PayoutKey): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const taken = await takeOutOfPayout(database, key, rowsPerTransactionMax);
    reached('payouts: part taken out');
    if (taken < rowsPerTransactionMax) return;
  }
}

type Telling = { readonly storeId: Id<'store'>; readonly told: Told; readonly now: Date };

async function tellStore({ database, reached }: Platform, { payoutId }: PayoutKey, telling: Telling): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const touched = await database.transaction((tx) => tellPart(tx, payoutId, telling));
    reached('payouts: part told');
    if (touched < rowsPerTransactionMax) return;
  }
}

async function tellPart(tx: Transaction, payoutId: Id<'pay'>, { storeId, told, now }: Telling): Promise<number> {
  if (told === 'paid') {
    const paid = await payCommissions(tx, { storeId, payoutId }, { limit: rowsPerTransactionMax, at: now });
    await addStoreFigures(tx, figuresOfPaid(storeId, paid, 1n));
    return paid.length;
  }
  const released = await releaseFromPayout(tx, { storeId, payoutId }, rowsPerTransactionMax);
  // The operator stood in for the store of these: nobody was paid after all, so that there is nothing to stand in for.
  const advanced = released.filter(({ wasAdvanced }) => wasAdvanced);
  await tellCreators(tx, { storeId, kind: 'advance_ended', at: now }, advanced);
  await addStoreFigures(tx, figuresOfPaid(storeId, released, -1n));
  return released.length;
}
