import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** Why the store takes no reports now, in the terms of the contract; null if it does. */
export async function whyClosed(db: Queryable, storeId: Id<'store'>): Promise<'store_archived' | 'integration_disabled' | null> {
  const { isArchived, isDisabled } = await db.one<{ isArchived: boolean; isDisabled: boolean }>(sql`
    select archived_at is not null as is_archived, integration_disabled_at is not null as is_disabled
    from stores where store_id = ${storeId}`);
  if (isArchived) return 'store_archived';
  return isDisabled ? 'integration_disabled' : null;
}
