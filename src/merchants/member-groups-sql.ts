import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { ProgramName } from './programs-sql.ts';

/** A group of a program's members, which may have its own rates. */
export type MemberGroup = ProgramName & { readonly groupId: Id<'grp'>; readonly name: string; readonly createdAt: Date };

const columns = sql`store_id, program_id, group_id, name, created_at`;

/** Null: the program has a group of that name, without regard to case. */
export const insertGroup = (db: Queryable, group: MemberGroup): Promise<MemberGroup | null> =>
  db.find(sql`
    insert into member_groups (store_id, program_id, group_id, name, created_at)
    values (${group.storeId}, ${group.programId}, ${group.groupId}, ${group.name}, ${group.createdAt})
    on conflict do nothing returning ${columns}`);

/** By the unique index member_groups_by_name. The lock of the program keeps two groups from taking one name. */
export async function findGroupOfName(db: Queryable, { storeId, programId }: ProgramName, name: string): Promise<Id<'grp'> | null> {
  const row = await db.find<Pick<MemberGroup, 'groupId'>>(sql`
    select group_id from member_groups where store_id = ${storeId} and program_id = ${programId} and lower(name) = lower(${name})`);
  return row?.groupId ?? null;
}

type GroupKey = ProgramName & Pick<MemberGroup, 'groupId'>;

/** Null: the program has no such group. */
export const renameGroup = (db: Queryable, { storeId, programId, groupId }: GroupKey, name: string): Promise<MemberGroup | null> =>
  db.find(sql`
    update member_groups set name = ${name}
    where store_id = ${storeId} and program_id = ${programId} and group_id = ${groupId} returning ${columns}`);

export const findGroup = (db: Queryable, { storeId, programId, groupId }: GroupKey): Promise<MemberGroup | null> =>
  db.find(sql`
    select ${columns} from member_groups where store_id = ${storeId} and program_id = ${programId} and group_id = ${groupId}`);

/** Newest first. Creating a group enforces their limit. */
export const listGroups = (db: Queryable, { storeId, programId }: ProgramName, { after, limit }: Page): Promise<MemberGroup[]> =>
  db.all(sql`
    select ${columns} from member_groups
    where store_id = ${storeId} and program_id = ${programId} ${after === null ? emptySql : sql`and group_id < ${after[0]}`}
    order by group_id desc limit ${limit + 1}`);

/** Of all programs of a store, each of which has at most 100. */
export const allGroupsOf = (db: Queryable, storeId: Id<'store'>): Promise<MemberGroup[]> =>
  db.all(sql`select ${columns} from member_groups where store_id = ${storeId} order by group_id`);

export async function countGroups(db: Queryable, { storeId, programId }: ProgramName): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from member_groups where store_id = ${storeId} and program_id = ${programId}`);
  return Number(count);
}
