import type { Transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

type Gate = { readonly storeId: Id<'store'>; readonly payoutId: Id<'pay'> };

/** Locked until the transaction ends; made where it is not there yet. Two statements, so that what is read is as it is under the lock. */
export async function isGateOpen(tx: Transaction, { storeId, payoutId }: Gate): Promise<boolean> {
  await tx.run(sql`
    insert into payout_gates (store_id, payout_id, is_closed) values (${storeId}, ${payoutId}, false) on conflict do nothing`);
  const { isClosed } = await tx.one<{ isClosed: boolean }>(sql`
    select is_closed from payout_gates where store_id = ${storeId} and payout_id = ${payoutId} for update`);
  return !isClosed;
}

export async function closeGate(tx: Transaction, { storeId, payoutId }: Gate): Promise<void> {
  await tx.run(sql`update payout_gates set is_closed = true where store_id = ${storeId} and payout_id = ${payoutId}`);
}
