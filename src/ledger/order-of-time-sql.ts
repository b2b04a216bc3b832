import type { Queryable } from '../platform/database/database.ts';
import { differencesOf } from '../platform/database/differences.ts';
import { sql } from '../platform/database/sql.ts';
import type { Difference } from '../platform/verify.ts';

/**
 * Sums that must hold at every moment, not only now: computed by the postings' own times, so that no statement of a month that is over
 * can have a balance that never was. Clocks of machines differ a little: what is right again within a minute is no difference.
 */

/** Nothing is put into a payout before it was collected, nothing arrives before it was put into one. Crosses all creators. */
export const creatorsBelowZero = (db: Queryable): Promise<readonly Difference[]> =>
  differencesOf(
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

/** Nothing is billed before it was recorded, nothing collected before it was billed: by store and creator. Crosses all stores. */
export const storesBelowZero = (db: Queryable): Promise<readonly Difference[]> =>
  differencesOf(
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
