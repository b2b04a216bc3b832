import { Type as T } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { isRefusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape, type PageQuery } from '../http/page.ts';
import { publicId, type Id } from '../core/ids.ts';
import { listAuditEntries, type AuditRow } from './audit-sql.ts';
import { endpoint } from './endpoint.ts';
import { timeField } from './fields.ts';

const entryReply = namedObject('AuditEntry', {
  id: T.String(),
  at: timeField,
  actor: T.String(),
  actor_name: T.String(),
  action: T.String(),
  subject: T.String(),
  details: T.Unknown(),
  store_id: orNull(T.String()),
  creator_id: orNull(T.String()),
  request_id: T.String(),
});

export const readAuditLog = endpoint({
  summary: 'Who did what, the newest first',
  access: { allow: 'operator' },
  query: pageQuery,
  reply: pageOf(entryReply),
  handle: ({ db, query }) => auditLogPage(db, null, query),
});

export const readStoreAuditLog = endpoint({
  summary: 'Who did what in a store, the newest first',
  access: { allow: 'store', permission: 'store:read' },
  query: pageQuery,
  reply: pageOf(entryReply),
  handle: ({ db, ids, query }) => auditLogPage(db, ids.store, query),
});

async function auditLogPage(db: Queryable, storeId: Id<'store'> | null, query: PageQuery) {
  const page = readPage(query, [uuidShape]);
  if (isRefusal(page)) return page;
  const rows = await listAuditEntries(db, { storeId, before: page.after?.[0] ?? null, limit: page.limit + 1 });
  return pageReply(rows, page, entryReplyOf, ({ auditEntryId }) => [auditEntryId]);
}

const entryReplyOf = (row: AuditRow) => ({
  id: publicId('audit', row.auditEntryId),
  at: isoTime(row.at),
  actor: row.actor,
  actor_name: row.actorName,
  action: row.action,
  subject: row.subject,
  details: row.details,
  store_id: row.storeId && publicId('store', row.storeId),
  creator_id: row.creatorId && publicId('crt', row.creatorId),
  request_id: row.requestId,
});
