import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
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

/** A session with its person and all their roles, in one query, because every dashboard request runs it. */
const sessionWithPerson = sql`
  select session_id, user_id, name, is_operator, totp_confirmed_at is not null as has_second_factor, creator_id, proved_at, last_seen_at,
    (select coalesce(jsonb_agg(jsonb_build_object('storeId', store_id, 'role', role)), '[]'::jsonb)
     from store_roles where store_roles.user_id = users.user_id) as roles
  from sessions join users using (user_id)`;

/** Uses the unique key of the token. */
export function findSessionByToken(
  db: Queryable,
  { tokenHash, now, seenSince }: { readonly tokenHash: Buffer; readonly now: Date; readonly seenSince: Date },
): Promise<SessionWithPerson | null> {
  return db.find<SessionWithPerson>(sql`
    ${sessionWithPerson}
    where token_hash = ${tokenHash} and expires_at > ${now} and last_seen_at > ${seenSince}`);
}

type Session = { readonly sessionId: Id<'sess'>; readonly now: Date; readonly seenSince: Date };

/** For a session that was already authenticated: uses the primary key. */
export const findActiveSession = (db: Queryable, { sessionId, now, seenSince }: Session): Promise<SessionWithPerson | null> =>
  db.find<SessionWithPerson>(sql`
    ${sessionWithPerson}
    where session_id = ${sessionId} and expires_at > ${now} and last_seen_at > ${seenSince}`);

/** Only the first of several concurrent requests writes. */
export async function updateSessionLastSeen(
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

export function listSessionsOf(
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

/** All of a person's sessions, or all except the current one. */
export function deleteSessionsOf(
  db: Queryable,
  { userId, except }: { readonly userId: Id<'user'>; readonly except: Id<'sess'> | null },
): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId} ${except === null ? emptySql : sql`and session_id <> ${except}`}`);
}

export function deleteExpiredSessions(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`delete from sessions where session_id in (select session_id from sessions where expires_at <= ${now} limit ${most})`);
}

export type DeviceRow = {
  readonly deviceId: Id<'dev'>;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

type OfUser = { readonly userId: Id<'user'> };
type OneDevice = OfUser & { readonly deviceId: Id<'dev'> };

export async function insertDevice(
  db: Queryable,
  { userId, deviceId, userAgent, now }: OneDevice & { readonly userAgent: string; readonly now: Date },
): Promise<void> {
  await db.run(sql`
    insert into devices (device_id, user_id, user_agent, created_at, last_seen_at)
    values (${deviceId}, ${userId}, ${userAgent}, ${now}, ${now})`);
}

export const deviceExists = async (db: Queryable, { userId, deviceId }: OneDevice): Promise<boolean> =>
  (await db.find(sql`select 1 as one from devices where device_id = ${deviceId} and user_id = ${userId}`)) !== null;

export async function updateDeviceLastSeen(db: Queryable, { userId, deviceId, now }: OneDevice & { readonly now: Date }): Promise<void> {
  await db.run(sql`update devices set last_seen_at = ${now} where device_id = ${deviceId} and user_id = ${userId}`);
}

/** Uses the index devices_of_user. */
export const listDevicesOf = (db: Queryable, userId: Id<'user'>): Promise<DeviceRow[]> =>
  db.all<DeviceRow>(sql`
    select device_id, user_agent, created_at, last_seen_at from devices where user_id = ${userId} order by last_seen_at desc, device_id`);

/** The devices of a person beyond the most recently seen ones. */
export async function deleteSurplusDevices(db: Queryable, { userId, most }: OfUser & { readonly most: number }): Promise<void> {
  await db.run(sql`
    delete from devices where device_id in (
      select device_id from devices where user_id = ${userId} order by last_seen_at desc offset ${most})`);
}

/** Returns 0 if the person does not have this device. */
export const deleteDevice = (db: Queryable, { userId, deviceId }: OneDevice): Promise<number> =>
  db.run(sql`delete from devices where user_id = ${userId} and device_id = ${deviceId}`);

/** All of a person's devices, or all except the current one. */
export const deleteDevicesOf = (db: Queryable, { userId, except }: OfUser & { readonly except: Id<'dev'> | null }): Promise<number> =>
  db.run(sql`delete from devices where user_id = ${userId} ${except === null ? emptySql : sql`and device_id <> ${except}`}`);

export const deleteSessionsOnDevice = (db: Queryable, { userId, deviceId }: OneDevice): Promise<number> =>
  db.run(sql`delete from sessions where user_id = ${userId} and device_id = ${deviceId}`);

export async function deviceOfSession(db: Queryable, sessionId: Id<'sess'>): Promise<Id<'dev'> | null> {
  const row = await db.find<{ deviceId: Id<'dev'> | null }>(sql`select device_id from sessions where session_id = ${sessionId}`);
  return row?.deviceId ?? null;
}
