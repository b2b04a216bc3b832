import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Creator } from './creators-sql.ts';

export type Suspension = {
  readonly suspensionId: Id<'susp'>;
  readonly reason: string | null;
  readonly note: string | null;
  readonly suspendedAt: Date;
  readonly suspendedByName: string;
  readonly endedAt: Date | null;
  readonly endedByName: string | null;
};

type Actor = { readonly actor: string; readonly name: string };
type CreatorKey = { readonly creatorId: Id<'crt'> };

/** The caller must have locked the creator. */
export async function insertSuspension(
  db: Queryable,
  suspension: CreatorKey & Pick<Suspension, 'suspensionId' | 'reason' | 'note'> & { readonly at: Date; readonly by: Actor },
): Promise<void> {
  const { creatorId, suspensionId, reason, note, at, by } = suspension;
  await db.run(sql`
    insert into creator_suspensions (creator_id, suspension_id, reason, note, suspended_at, suspended_by, suspended_by_name)
    values (${creatorId}, ${suspensionId}, ${reason}, ${note}, ${at}, ${by.actor}, ${by.name})`);
}

/** Returns 0 if the creator was suspended before suspensions had rows. */
export function updateOpenSuspension(
  db: Queryable,
  { creatorId, reason, note }: CreatorKey & Pick<Suspension, 'reason' | 'note'>,
): Promise<number> {
  return db.run(sql`
    update creator_suspensions set reason = coalesce(${reason}, reason), note = coalesce(${note}, note)
    where creator_id = ${creatorId} and ended_at is null`);
}

export async function endOpenSuspension(
  db: Queryable,
  { creatorId, at, by }: CreatorKey & { readonly at: Date; readonly by: Actor },
): Promise<void> {
  await db.run(sql`
    update creator_suspensions set ended_at = ${at}, ended_by = ${by.actor}, ended_by_name = ${by.name}
    where creator_id = ${creatorId} and ended_at is null`);
}

export async function setSuspended(
  db: Queryable,
  { creatorId, at, reason = null }: CreatorKey & { readonly at: Date | null; readonly reason?: string | null },
): Promise<void> {
  await db.run(sql`update creators set suspended_at = ${at}, suspension_reason = ${reason} where creator_id = ${creatorId}`);
}

export function findAndLockCreator(
  db: Queryable,
  creatorId: Id<'crt'>,
): Promise<Pick<Creator, 'suspendedAt' | 'suspensionReason' | 'email'> | null> {
  return db.find(sql`select suspended_at, suspension_reason, email from creators where creator_id = ${creatorId} for no key update`);
}

/** Newest first, by primary key. */
export function listSuspensions(db: Queryable, creatorId: Id<'crt'>, { after, limit }: Page): Promise<Suspension[]> {
  return db.all(sql`
    select suspension_id, reason, note, suspended_at, suspended_by_name, ended_at, ended_by_name from creator_suspensions
    where creator_id = ${creatorId} ${after === null ? emptySql : sql`and suspension_id < ${after[0]}::uuid`}
    order by suspension_id desc limit ${limit + 1}`);
}
