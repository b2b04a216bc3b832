import { sql, type Sql } from '../platform/database/sql.ts';
import type { Party } from './party.ts';

/** Whose rows: each kind by its own index. */
export function ofParty(party: Party): Sql {
  switch (party.is) {
    case 'operator':
      return sql`kind = 'operator'`;
    case 'store':
      return sql`kind = 'store' and store_id = ${party.storeId}`;
    case 'creator':
      return sql`kind = 'creator' and creator_id = ${party.creatorId}`;
  }
}
