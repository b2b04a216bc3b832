import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Check, Difference } from '../db/check.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';

export const bonusChecks: readonly Check[] = [
  { what: 'a bonus has its commission and its transfer', rows: rowsOf(sql`bonuses`), differences: bonusesWithWrongPostings },
  { what: 'a bonus of a goal counts the orders that its terms require', rows: rowsOf(sql`bonuses`), differences: goalsThatDiffer },
];

/** One commission for one bonus, of its amount, opened by one transfer of that amount; and no commission of a bonus without the bonus. */
export function bonusesWithWrongPostings(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select b.store_id::text, format('bonus %s of %s: commission %s of %s, transfer of %s', b.bonus_id, b.amount_cents, c.commission_id,
             c.amount_cents, t.amount_cents) as detail
    from bonuses b
    left join commissions c on c.store_id = b.store_id and c.commission_id = b.commission_id
      and c.source_kind = 'bonus' and c.source_id = b.bonus_id
    left join transfers t on t.store_id = b.store_id and t.source_id = b.bonus_id
      and t.source_kind = 'bonus' and t.debit = 'expected' and t.credit = 'to_creators'
    where c.commission_id is null or c.creator_id <> b.creator_id or c.program_id <> b.program_id or c.amount_cents <> b.amount_cents
      or c.eligible_cents <> 0 or t.creator_id is distinct from b.creator_id or t.amount_cents is distinct from b.amount_cents
    union all
    select c.store_id::text, format('commission %s of a bonus that does not exist', c.commission_id)
    from commissions c left join bonuses b on b.store_id = c.store_id and b.bonus_id = c.source_id
    where c.source_kind = 'bonus' and b.bonus_id is null`,
  );
}

/**
 * Counts the orders of each goal again: as many different ones as the terms version requires, of the same creator and program, and each
 * approved in the period. Later rejections and refunds change what happens to the bonus, and not what was counted.
 */
export function goalsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select b.store_id::text, format('bonus %s of %s: the goal %s %s of version %s gives %s, and %s of %s orders count', b.bonus_id,
             b.amount_cents, b.goal_key, b.goal_month, b.goal_version, goal.amount_cents, count(distinct d.commission_id),
             goal.orders) as detail
    from bonuses b
    left join terms t on t.store_id = b.store_id and t.program_id = b.program_id and t.version = b.goal_version
    left join lateral jsonb_to_recordset(t.goals) as goal (orders int, period text, amount_cents bigint)
      on goal.period || ' ' || goal.orders = b.goal_key
    left join lateral unnest(b.goal_commissions) as counted (commission_id) on true
    left join commissions c on c.store_id = b.store_id and c.commission_id = counted.commission_id
      and c.creator_id = b.creator_id and c.program_id = b.program_id and c.source_kind = 'order'
    left join decisions d on d.store_id = c.store_id and d.commission_id = c.commission_id and d.action = 'approve' and d.at <= b.added_at
      and (b.goal_month = '' or to_char(d.at at time zone 'utc', 'YYYY-MM') = b.goal_month)
    where b.goal_key is not null
    group by b.store_id, b.bonus_id, goal.orders, goal.amount_cents
    having goal.amount_cents is distinct from b.amount_cents or count(distinct d.commission_id) <> goal.orders
      or cardinality(b.goal_commissions) <> goal.orders`,
  );
}
