import { noCreator } from '../ledger/store-postings.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql } from '../db/sql.ts';
import type { Check, Difference } from '../db/check.ts';

export const riskChecks: readonly Check[] = [
  { what: 'no payout was sent with something that a risk case keeps back', rows: countHolds, differences: payoutsSentDespiteHolds },
];

export async function countHolds(db: Queryable): Promise<bigint> {
  const { rows } = await db.one<{ rows: bigint }>(sql`
    select (select count(*) from payout_holds) + (select count(*) from creator_holds) as rows`);
  return rows;
}

/** Reports differences of a creator's payouts that belong to no single store. */
const noStore = noCreator;

/**
 * A hold that began in the minute before a payout was sent may have been committed after it. A payout that was sent before its hold, or
 * while nothing was kept back, is no difference: the case shows it as exposure. Each kind of hold reads only its own rows, by
 * invoice_lines_of_invoice, by commissions_by_creator, and for a whole store by commissions_of_payout.
 */
export function payoutsSentDespiteHolds(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select c.store_id::text as store_id, format('payout %s was sent at %s with commission %s, kept back since %s by case %s', p.payout_id,
             p.sent_at, c.commission_id, c.began_at, c.case_id) as detail
    from (
      select h.case_id, h.began_at, h.released_at, c.store_id, c.creator_id, c.commission_id, c.payout_id
      from payout_holds h
      join invoice_lines l on l.store_id = h.store_id and l.invoice_id = h.invoice_id
      join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
      where h.invoice_id is not null and c.payout_id is not null
      union all
      select h.case_id, h.began_at, h.released_at, c.store_id, c.creator_id, c.commission_id, c.payout_id
      from payout_holds h join commissions c on c.store_id = h.store_id and c.creator_id = h.creator_id
      where h.creator_id is not null and c.payout_id is not null
      union all
      select h.case_id, h.began_at, h.released_at, c.store_id, c.creator_id, c.commission_id, c.payout_id
      from payout_holds h join commissions c on c.store_id = h.store_id
      where h.invoice_id is null and h.creator_id is null and c.payout_id is not null
    ) c
    join payouts p on p.creator_id = c.creator_id and p.payout_id = c.payout_id
    where p.sent_at > c.began_at + interval '1 minute' and (c.released_at is null or p.sent_at < c.released_at)
    union all
    select ${noStore}::text as store_id, format('payout %s of creator %s was sent at %s, kept back since %s by case %s', p.payout_id,
             p.creator_id, p.sent_at, h.began_at, h.case_id) as detail
    from creator_holds h join payouts p on p.creator_id = h.creator_id
    where p.sent_at > h.began_at + interval '1 minute' and (h.released_at is null or p.sent_at < h.released_at)`,
  );
}
