import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type Check, type Difference } from '../db/check.ts';
import { findDifferences } from '../db/differences.ts';

export const creatorChecks: readonly Check[] = [
  { what: "a creator's directory names the store of every membership", rows: countMembers, differences: membersOutsideDirectory },
];

async function countMembers(db: Queryable): Promise<bigint> {
  const { rows } = await db.one<{ rows: bigint }>(sql`select count(*) as rows from members`);
  return rows;
}

/** The portal finds a creator's sales by this directory. */
function membersOutsideDirectory(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select m.store_id::text, format('member %s of creator %s is in no directory', m.member_id, m.creator_id) as detail
    from members m left join creator_stores s on s.creator_id = m.creator_id and s.store_id = m.store_id
    where s.creator_id is null`,
  );
}
