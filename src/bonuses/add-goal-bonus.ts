import { listGoalOrders } from '../commissions/goals-sql.ts';
import { newId, type Id } from '../core/ids.ts';
import { lockMembership } from '../creators/members-sql.ts';
import type { Transaction } from '../db/database.ts';
import { isRefusal } from '../http/responses.ts';
import { monthOf } from '../merchants/goal-months.ts';
import { goalKey, type Goal } from '../merchants/goals.ts';
import type { Terms } from '../merchants/terms.ts';
import { apiMessage } from '../messages/api-message.ts';
import { linkOf, openBonus } from './add-bonus.ts';
import { hasGoalBonus } from './bonuses-sql.ts';

export type ReachedGoal = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly goal: Goal;
  /** The version with the goal, in force until the next one. */
  readonly terms: Terms;
  readonly until: Date;
  /** The name of the month, or empty. */
  readonly month: string;
};

/**
 * Adds the bonus of a goal under the lock of the membership, once for a period, with the orders that were counted. Nothing is added for a
 * membership that has ended, or if an order stopped counting since the goal was found.
 */
export async function addGoalBonus(tx: Transaction, reached: ReachedGoal, readClock: () => Date): Promise<boolean> {
  const { goal, terms, month, storeId } = reached;
  const member = await lockMembership(tx, reached);
  if (member?.status !== 'approved') return false;
  const key = { ...member, goalKey: goalKey(goal), goalMonth: month };
  if (await hasGoalBonus(tx, key)) return false;
  const orders = await listGoalOrders(tx, reached, { month: monthOf(month), limit: goal.orders });
  const last = orders[goal.orders - 1];
  if (last === undefined || last.approvedAt < terms.effectiveFrom || last.approvedAt >= reached.until) return false;
  // Not when the job was due: webhooks find new commissions by the time in their IDs, and read only the last minutes.
  const now = readClock();
  const linkNumber = await linkOf(tx, member, now);
  if (isRefusal(linkNumber)) return false;
  return openBonus(
    tx,
    {
      ...key,
      storeId,
      bonusId: newId<'bonus'>(now),
      commissionId: newId<'com'>(now),
      amountCents: goal.amount,
      reason: apiMessage('bonus.goal_reason', { orders: goal.orders, period: goal.period, month }),
      orderId: null,
      addedBy: 'system',
      addedByName: apiMessage('bonus.goal_author'),
      addedAt: now,
      goalVersion: terms.version,
      goalCommissions: orders.map(({ commissionId }) => commissionId),
    },
    { terms, linkNumber },
  );
}
