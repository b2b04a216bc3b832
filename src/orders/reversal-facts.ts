import { lockCommissions } from '../commissions/sql.ts';
import { isSameContent } from '../contract/sameness.ts';
import type { Transaction } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { ReversalFacts, ReversibleOrder } from './decide-reversal.ts';
import { keyOf, storeOf, type ReversalItem } from './item.ts';
import { reversalLists } from './report.ts';
import { byOrder, nameOf, ordersByHash, reversalsByHash, testOrders } from './sql.ts';

/** Null facts: somebody else holds the commission's row just now. */
export type ReversalWithFacts = { readonly item: ReversalItem; readonly facts: ReversalFacts | null };

/** Locks the commissions first and reads what goes with them after: in one statement the snapshot would be older than the lock. */
export async function reversalFacts(
  tx: Transaction,
  items: readonly ReversalItem[],
  now: Date,
  lockWaitMs: number,
): Promise<readonly ReversalWithFacts[]> {
  if (items.length === 0) return [];
  const keys = items.map(keyOf);
  const orders = byOrder(await ordersByHash(tx, keys));
  const locked = await lockCommissions(tx, [...orders.values()], lockWaitMs);
  const commissions = new Map(locked.map((commission) => [commission.commissionId, commission]));
  const reversals = byOrder(await reversalsByHash(tx, keys));
  const tests = byOrder(await testOrders(tx, keys));

  return items.map((item) => {
    const name = nameOf(keyOf(item));
    const order = orders.get(name);
    const commission = order && commissions.get(order.commissionId);
    if (order && !commission) return { item, facts: null };
    const kept = reversals.get(name);
    const reversible: ReversibleOrder | null =
      order && commission
        ? {
            ...order,
            creatorId: commission.creatorId,
            state: commission.state,
            held: commission.heldReason,
            amount: commission.amountCents,
          }
        : null;
    const facts: ReversalFacts = {
      now,
      storeId: storeOf(item),
      earlier: kept ? { receivedAt: kept.receivedAt, isSame: isSameContent(kept.contentHash, reversalLists, item.report.content) } : null,
      order: reversible,
      testOrder: tests.get(name) ?? null,
      fresh: { reversalId: newId<'rev'>(now) },
    };
    return { item, facts };
  });
}
