import { sql, type Sql } from '../db/sql.ts';
import type { Party } from './party.ts';

/** Selects the rows of a party; each kind has its own index. */
export function partyCondition(party: Party): Sql {
  switch (party.is) {
    case 'operator':
      return sql`kind = 'operator'`;
    case 'store':
      return sql`kind = 'store' and store_id = ${party.storeId}`;
    case 'creator':
      return sql`kind = 'creator' and creator_id = ${party.creatorId}`;
  }
}
