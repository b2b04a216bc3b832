import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Role } from './permissions.ts';

export type NewSession = {
  readonly sessionId: Id<'sess'>;
  readonly tokenHash: Buffer;
  readonly userId: Id<'user'>;
  readonly deviceId: Id<'dev'>;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly userAgent: string;
  readonly addressHash: Buffer;
};

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { sessionId, tokenHash, userId, deviceId, now, expiresAt, userAgent, addressHash } = session;
  await db.run(sql`
    insert into sessions (
      session_id, token_hash, user_id, device_id, created_at, last_seen_at, expires_at, proved_at, user_agent, address_hash)
    values (${sessionId}, ${tokenHash}, ${userId}, ${deviceId}, ${now}, ${now}, ${expiresAt}, ${now}, ${userAgent}, ${addressHash})`);
}

/** The sessions of a person beyond the newest few. */
export async function deleteSurplusSessions(
  db: Queryable,
  { userId, most }: { readonly userId: Id<'user'>; readonly most: number },
): Promise<void> {
  await db.run(sql`
    delete from sessions where session_id in (
      select session_id from sessions where user_id = ${userId} order by session_id desc offset ${most})`);
}

export type SessionWithPerson = {
  readonly sessionId: Id<'sess'>;
  readonly userId: Id<'user'>;
  readonly name: string;
  readonly isOperator: boolean;
  readonly hasSecondFactor: boolean;
  readonly creatorId: Id<'crt'> | null;
  readonly provedAt: Date;
  readonly lastSeenAt: Date;
  readonly roles: ReadonlyArray<{ readonly storeId: Id<'store'>; readonly role: Role }>;
};

/** Who a session's token stands for, with all their roles, in one look: every request of a dashboard asks this. */
export function sessionByToken(
  db: Queryable,
  { tokenHash, now, seenSince }: { readonly tokenHash: Buffer; readonly now: Date; readonly seenSince: Date },
): Promise<SessionWithPerson | null> {
  return db.find<SessionWithPerson>(sql`
    select session_id, user_id, name, is_operator, totp_confirmed_at is not null as has_second_factor, creator_id, proved_at, last_seen_at,
      (select coalesce(jsonb_agg(jsonb_build_object('storeId', store_id, 'role', role)), '[]'::jsonb)
       from store_roles where store_roles.user_id = users.user_id) as roles
    from sessions join users using (user_id)
    where token_hash = ${tokenHash} and expires_at > ${now} and last_seen_at > ${seenSince}`);
}

/** Of many requests at once the first writes. */
export async function updateLastSeen(
  db: Queryable,
  { sessionId, now, before }: { readonly sessionId: Id<'sess'>; readonly now: Date; readonly before: Date },
) {
  await db.run(sql`update sessions set last_seen_at = ${now} where session_id = ${sessionId} and last_seen_at < ${before}`);
}

export async function updateProof(
  db: Queryable,
  { sessionId, now }: { readonly sessionId: Id<'sess'>; readonly now: Date },
): Promise<void> {
  await db.run(sql`update sessions set proved_at = ${now} where session_id = ${sessionId}`);
}

export type SessionRow = {
  readonly sessionId: Id<'sess'>;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly userAgent: string;
};

export function sessionsOf(
  db: Queryable,
  { userId, now, seenSince }: { readonly userId: Id<'user'>; readonly now: Date; readonly seenSince: Date },
): Promise<SessionRow[]> {
  return db.all<SessionRow>(sql`
    select session_id, created_at, last_seen_at, user_agent from sessions
    where user_id = ${userId} and expires_at > ${now} and last_seen_at > ${seenSince}
    order by last_seen_at desc`);
}

export function deleteSession(
  db: Queryable,
  { userId, sessionId }: { readonly userId: Id<'user'>; readonly sessionId: Id<'sess'> },
): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId} and session_id = ${sessionId}`);
}

/** All of a person's sessions, or all but the one that asks. */
export function deleteSessionsOf(
  db: Queryable,
  { userId, except }: { readonly userId: Id<'user'>; readonly except: Id<'sess'> | null },
): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId} ${except === null ? nothing : sql`and session_id <> ${except}`}`);
}

export function deleteExpiredSessions(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`delete from sessions where session_id in (select session_id from sessions where expires_at <= ${now} limit ${most})`);
}
