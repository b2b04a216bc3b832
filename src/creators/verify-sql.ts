import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { rowsOf } from '../db/differences.ts';
import type { Check, Difference } from '../db/check.ts';
import { compareSides } from '../db/compare-sides.ts';
import type { Id } from '../core/ids.ts';

export const creatorChecks: readonly Check[] = [
  { what: "a creator's directory names the store of every membership", rows: rowsOf(sql`members`), differences: membersOutsideDirectory },
];

type Pair = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };
const pairKey = sql`store_id || ' ' || creator_id`;

/** The portal finds a creator's sales by this directory. It may name further stores. */
function membersOutsideDirectory(db: Queryable): Promise<readonly Difference[]> {
  return compareSides(db, {
    one: sql`select ${pairKey} as key, '' as value from members group by store_id, creator_id`,
    other: sql`select ${pairKey} as key, '' as value from creator_stores`,
    async compare(isRead) {
      const members = await db.all<Pair & { readonly memberId: Id<'mem'> }>(sql`
        select store_id, creator_id, member_id from members where ${isRead(pairKey)}`);
      const named = await db.all<Pair>(sql`select store_id, creator_id from creator_stores where ${isRead(pairKey)}`);
      const pairs = new Set(named.map(({ storeId, creatorId }) => `${storeId} ${creatorId}`));
      return members.flatMap(({ storeId, creatorId, memberId }) =>
        pairs.has(`${storeId} ${creatorId}`) ? [] : [{ storeId, detail: `member ${memberId} of creator ${creatorId} is in no directory` }],
      );
    },
  });
}
