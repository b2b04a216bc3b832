import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { jsonText } from '../core/json.ts';

export type AuditRow = {
  readonly auditEntryId: Id<'audit'>;
  readonly at: Date;
  readonly actor: string;
  readonly actorName: string;
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
  readonly action: string;
  readonly subject: string;
  readonly details: unknown;
  readonly requestId: string;
};

export type NewAuditRow = AuditRow & { readonly addressHash: Buffer | null };

export async function insertAuditEntry(db: Queryable, row: NewAuditRow): Promise<void> {
  await db.run(sql`
    insert into audit_log (audit_entry_id, at, actor, actor_name, store_id, creator_id, action, subject, details, request_id, address_hash)
    values (${row.auditEntryId}, ${row.at}, ${row.actor}, ${row.actorName}, ${row.storeId}, ${row.creatorId},
            ${row.action}, ${row.subject}, ${jsonText(row.details)}, ${row.requestId}, ${row.addressHash})`);
}

export type ListAuditEntriesQuery = {
  readonly storeId: Id<'store'> | null;
  /** The ID of the last entry on the previous page. */
  readonly before: string | null;
  readonly limit: number;
};

/** Newest first: an entry's ID contains its time. Reads one store (index audit_log_of_store), or all stores for operators. */
export function listAuditEntries(db: Queryable, { storeId, before, limit }: ListAuditEntriesQuery): Promise<AuditRow[]> {
  return db.all<AuditRow>(sql`
    select audit_entry_id, at, actor, actor_name, store_id, creator_id, action, subject, details, request_id from audit_log
    where true ${storeId === null ? emptySql : sql`and store_id = ${storeId}`}
      ${before === null ? emptySql : sql`and audit_entry_id < ${before}`}
    order by audit_entry_id desc limit ${limit}`);
}
