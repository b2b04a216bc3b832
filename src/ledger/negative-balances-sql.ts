import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql } from '../db/sql.ts';
import type { Difference } from '../db/check.ts';

/**
 * Checks that balances were never negative, by the times of the transfers, so that no statement of a past month shows an impossible
 * balance. A negative balance of less than a minute is ignored, because the clocks of machines differ slightly.
 */

/** Money is collected before it is in a payout, and in a payout before it is paid. Reads all creators. */
export const negativeCreatorBalances = (db: Queryable): Promise<readonly Difference[]> =>
  findDifferences(
    db,
    sql`
    with moves as (
      select creator_id, credit as account, at, amount_cents::numeric as cents from creator_transfers
      union all
      select creator_id, debit, at, -amount_cents::numeric from creator_transfers
    ), moments as (
      select creator_id, account, at, sum(cents) as cents from moves
      where account in ('available', 'in_payout') group by creator_id, account, at
    ), running as (
      select creator_id, account, at, sum(cents) over so_far as cents, lead(at) over so_far as until
      from moments window so_far as (partition by creator_id, account order by at)
    )
    select '00000000-0000-0000-0000-000000000000' as store_id,
      format('creator %s: %s was %s cents from %s', creator_id, account, min(cents), min(at)) as detail
    from running where cents < 0 and (until is null or until > at + interval '1 minute')
    group by creator_id, account`,
  );

/** By store and creator, a commission is recorded before it is billed, and billed before it is collected. Reads all stores. */
export const negativeStoreBalances = (db: Queryable): Promise<readonly Difference[]> =>
  findDifferences(
    db,
    sql`
    with moves as (
      select store_id, creator_id, debit as account, at, amount_cents::numeric as cents from transfers
      union all
      select store_id, creator_id, credit, at, -amount_cents::numeric from transfers
    ), moments as (
      select store_id, creator_id, account, at, sum(cents) as cents from moves
      where account in ('expected', 'owed') and creator_id <> '00000000-0000-0000-0000-000000000000'
      group by store_id, creator_id, account, at
    ), running as (
      select store_id, creator_id, account, at, sum(cents) over so_far as cents, lead(at) over so_far as until
      from moments window so_far as (partition by store_id, creator_id, account order by at)
    )
    select store_id::text as store_id, format('creator %s: %s was %s cents from %s', creator_id, account, min(cents), min(at)) as detail
    from running where cents < 0 and (until is null or until > at + interval '1 minute')
    group by store_id, creator_id, account`,
  );
