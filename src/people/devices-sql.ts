import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

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

export const deviceIsKnown = async (db: Queryable, { userId, deviceId }: OneDevice): Promise<boolean> =>
  (await db.find(sql`select 1 as one from devices where device_id = ${deviceId} and user_id = ${userId}`)) !== null;

export async function updateDeviceSeen(db: Queryable, { userId, deviceId, now }: OneDevice & { readonly now: Date }): Promise<void> {
  await db.run(sql`update devices set last_seen_at = ${now} where device_id = ${deviceId} and user_id = ${userId}`);
}

/** By devices_of_user. */
export const devicesOf = (db: Queryable, userId: Id<'user'>): Promise<DeviceRow[]> =>
  db.all<DeviceRow>(sql`
    select device_id, user_agent, created_at, last_seen_at from devices where user_id = ${userId} order by last_seen_at desc, device_id`);

/** The devices of a person beyond those seen last. */
export async function deleteSurplusDevices(db: Queryable, { userId, most }: OfUser & { readonly most: number }): Promise<void> {
  await db.run(sql`
    delete from devices where device_id in (
      select device_id from devices where user_id = ${userId} order by last_seen_at desc offset ${most})`);
}

/** 0 where the person has no such device. */
export const deleteDevice = (db: Queryable, { userId, deviceId }: OneDevice): Promise<number> =>
  db.run(sql`delete from devices where user_id = ${userId} and device_id = ${deviceId}`);

/** All of a person's devices, or all but the one that asks. */
export const deleteDevicesOf = (db: Queryable, { userId, except }: OfUser & { readonly except: Id<'dev'> | null }): Promise<number> =>
  db.run(sql`delete from devices where user_id = ${userId} ${except === null ? nothing : sql`and device_id <> ${except}`}`);

export const deleteSessionsOnDevice = (db: Queryable, { userId, deviceId }: OneDevice): Promise<number> =>
  db.run(sql`delete from sessions where user_id = ${userId} and device_id = ${deviceId}`);

export async function deviceOfSession(db: Queryable, sessionId: Id<'sess'>): Promise<Id<'dev'> | null> {
  const row = await db.find<{ deviceId: Id<'dev'> | null }>(sql`select device_id from sessions where session_id = ${sessionId}`);
  return row?.deviceId ?? null;
}
