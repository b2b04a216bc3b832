import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Check, Difference } from '../db/check.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';
import { attributionsThatDiffer, ordersWithAttribution } from './verify-attribution-sql.ts';
import { termsVersionCheck } from './verify-terms-sql.ts';

export const orderChecks: readonly Check[] = [
  { what: 'an order has its commission and its transfer', rows: rowsOf(sql`orders`), differences: ordersWithWrongPostings },
  { what: 'an order has its click, and a claimed click its order', rows: rowsOf(sql`orders`), differences: clickClaimsThatDiffer },
  { what: 'a customer was new for one order', rows: rowsOf(sql`first_orders`), differences: firstOrdersThatDiffer },
  {
    what: 'an order is earned by the click, the code, or the customer that precedes the others',
    rows: rowsOf(sql`orders`),
    differences: (db) => attributionsThatDiffer(db, ordersWithAttribution()),
  },
  { what: 'a reversed order has a reversed commission', rows: rowsOf(sql`order_reversals`), differences: reversalsWithoutEffect },
  termsVersionCheck,
  { what: 'a test order has no money', rows: rowsOf(sql`test_orders`), differences: testOrdersWithMoney },
];

/** One commission for one order, opened by one transfer of its amount; none where it earns nothing. */
export function ordersWithWrongPostings(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select o.store_id::text, format('order %s: commission %s of %s, transfer of %s', o.transaction_id, c.commission_id,
             c.amount_cents + c.refunded_commission_cents, t.amount_cents) as detail
    from orders o
    left join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
      and c.source_kind = 'order' and c.source_id = o.transaction_id
    left join transfers t on t.store_id = o.store_id and t.source_id = o.transaction_id
      and t.source_kind = 'order' and t.debit = 'expected' and t.credit = 'to_creators'
    where c.commission_id is null or c.creator_id <> o.creator_id or c.program_id <> o.program_id
      or c.eligible_cents <> o.eligible_cents or t.creator_id <> o.creator_id
      or c.amount_cents + c.refunded_commission_cents <> coalesce(t.amount_cents, 0)`,
  );
}

export function clickClaimsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select coalesce(o.store_id, claim.store_id)::text as store_id,
           format('click %s is claimed by %s, order %s names it', coalesce(o.click_id, claim.click_id),
             encode(claim.order_hash, 'hex'), o.transaction_id) as detail
    from (select * from orders where click_id is not null) o full join click_claims claim
      on claim.store_id = o.store_id and claim.click_id = o.click_id and claim.order_hash = o.order_hash
    where o.store_id is null or claim.store_id is null`,
  );
}

/** An order that earned by a rule for new customers has its row, unless the customer was erased. */
export function firstOrdersThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with earned_as_new as (
      select o.store_id, o.order_hash, o.customer_id from orders o
      join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
      where c.earned @> '[{"rule": {"conditions": {"new_customers": true}}}]'
    )
    select coalesce(first.store_id, earned.store_id)::text as store_id,
           format('order %s: earned as that of a new customer: %s, kept as such: %s',
             encode(coalesce(first.order_hash, earned.order_hash), 'hex'),
             earned.order_hash is not null, first.order_hash is not null) as detail
    from earned_as_new earned full join first_orders first on first.store_id = earned.store_id and first.order_hash = earned.order_hash
    where earned.order_hash is null or (first.order_hash is null and earned.customer_id is not null)`,
  );
}

export function reversalsWithoutEffect(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select r.store_id::text, format('reversal %s: order %s, its commission %s', r.reversal_id, o.transaction_id, c.state) as detail
    from order_reversals r
    left join orders o on o.store_id = r.store_id and o.order_hash = r.order_hash
    left join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
    where c.state is distinct from 'reversed'`,
  );
}

export function testOrdersWithMoney(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select test.store_id::text, format('test order %s has a transfer of %s', test.transaction_id, t.amount_cents) as detail
    from test_orders test join transfers t on t.store_id = test.store_id and t.source_id = test.transaction_id`,
  );
}
