import type { Queryable } from '../db/database.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, joined, sql, texts, type Sql } from '../db/sql.ts';
import type { SortedPage } from '../http/page.ts';
import { firstIdAt, type Id } from '../core/ids.ts';
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

const entryIdColumn: SortColumn<AuditRow> = { expression: sql`audit_entry_id`, type: 'uuid', value: ({ auditEntryId }) => auditEntryId };

/** The IDs grow with time. */
export const auditSorts: ListSorts<AuditRow> = { columns: { at: entryIdColumn }, unique: entryIdColumn, defaultSort: '-at' };

export type AuditFilter = {
  /** The ID of an account or API key, or `system`. */
  readonly actor: string | null;
  readonly actions: readonly string[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

/**
 * Entries of one store, or of all stores for operators (null). An actor has an index in the order of the list. Several actions are read one
 * by one, each by its index, and merged: no index has the order of several. Each is a query of its own, so that the planner knows how
 * frequent the action is.
 */
export function listAuditEntries(
  db: Queryable,
  storeId: Id<'store'> | null,
  { actor, actions, from, to }: AuditFilter,
  { after, limit, order }: SortedPage<AuditRow>,
): Promise<AuditRow[]> {
  const sorted = sql`${orderBy(order)} limit ${limit + 1}`;
  const entries = (condition: Sql) => sql`
    select audit_entry_id, at, actor, actor_name, store_id, creator_id, action, subject, details, request_id from audit_log
    where true ${storeId === null ? emptySql : sql`and store_id = ${storeId}`} ${condition}
      ${from === null ? emptySql : sql`and audit_entry_id >= ${firstIdAt(from)}::uuid`}
      ${to === null ? emptySql : sql`and audit_entry_id < ${firstIdAt(to)}::uuid`} ${afterKey(order, after)}
    ${sorted}`;
  if (actions === null) return db.all(entries(actor === null ? emptySql : sql`and actor = ${actor}`));
  if (actor !== null) return db.all(entries(sql`and actor = ${actor} and action = any(${texts(actions)})`));
  if (actions.length === 0) return Promise.resolve([]);
  const ofEach = actions.map((action) => sql`(${entries(sql`and action = ${action}`)})`);
  return db.all(sql`select * from (${joined(ofEach, sql` union all `)}) as found ${sorted}`);
}
