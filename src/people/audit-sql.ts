import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { jsonText } from '../platform/http/json.ts';

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

export type AuditAsked = {
  readonly storeId: Id<'store'> | null;
  /** The id of the last entry of the page before. */
  readonly before: string | null;
  readonly limit: number;
};

/** The newest first: an entry's id is its time. Of one store (by audit_log_of_store), or of all, which only operators ask. */
export function auditPage(db: Queryable, { storeId, before, limit }: AuditAsked): Promise<AuditRow[]> {
  return db.all<AuditRow>(sql`
    select audit_entry_id, at, actor, actor_name, store_id, creator_id, action, subject, details, request_id from audit_log
    where true ${storeId === null ? nothing : sql`and store_id = ${storeId}`}
      ${before === null ? nothing : sql`and audit_entry_id < ${before}`}
    order by audit_entry_id desc limit ${limit}`);
}
