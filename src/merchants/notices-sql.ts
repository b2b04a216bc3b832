import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ProgramName } from './programs-sql.ts';

export type VersionName = ProgramName & { readonly version: number };

/** How far the members of an announced version are informed. */
export type Notices = VersionName & { readonly noticesSentTo: Id<'mem'> | null };

/** Locks the version, so that two processes do not inform the same members. Null: all are informed. */
export const lockUnsentNotices = (db: Queryable, { storeId, programId, version }: VersionName): Promise<Notices | null> =>
  db.find(sql`
    select store_id, program_id, version, notices_sent_to from terms
    where store_id = ${storeId} and program_id = ${programId} and version = ${version} and announced and notices_sent_at is null
    for update`);

export const markNoticesSent = (
  db: Queryable,
  { storeId, programId, version, noticesSentTo }: Notices,
  sentAt: Date | null,
): Promise<number> =>
  db.run(sql`
    update terms set notices_sent_to = ${noticesSentTo}, notices_sent_at = ${sentAt}
    where store_id = ${storeId} and program_id = ${programId} and version = ${version}`);
