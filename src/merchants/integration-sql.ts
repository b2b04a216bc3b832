import type { FoundKey } from '../contract/request-checks.ts';
import type { TenantDatabases } from '../db/tenant-database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** The store and the key that authenticated a postback. */
export type Integration = { readonly storeId: Id<'store'>; readonly postbackKeyId: Id<'pbkey'> };

type Row = Integration & { readonly isArchived: boolean; readonly isDisabled: boolean };

/**
 * Two statements: in a cluster every node has the directory, and one has the store. Both by primary or unique key. Only a request with a
 * valid key learns that its store is archived.
 */
export async function findIntegration(
  { nodeOf, readAnywhere }: Pick<TenantDatabases, 'nodeOf' | 'readAnywhere'>,
  trackingKey: string,
  postbackKeyHash: Buffer,
): Promise<FoundKey<Integration>> {
  const entry = await readAnywhere((db) =>
    db.find<{ storeId: Id<'store'> }>(sql`select store_id from tracking_keys where tracking_key = ${trackingKey}`),
  );
  if (entry === null) return { is: 'unknown' };
  const row = await nodeOf(entry.storeId).database.find<Row>(sql`
    select k.store_id, k.postback_key_id, s.archived_at is not null as is_archived, s.integration_disabled_at is not null as is_disabled
    from postback_keys k join stores s on s.store_id = k.store_id
    where k.store_id = ${entry.storeId} and k.key_hash = ${postbackKeyHash} and k.revoked_at is null`);
  if (row === null) return { is: 'unknown' };
  const { storeId, postbackKeyId, isArchived, isDisabled } = row;
  const found = { integration: { storeId, postbackKeyId } };
  if (isArchived) return { is: 'archived', ...found };
  return { is: isDisabled ? 'disabled' : 'open', ...found };
}
