import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { prepared, sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Member } from './members-sql.ts';

/** Since when a membership is in a group; null: in none. */
export type GroupMove = Pick<Member, 'storeId' | 'memberId'> & {
  readonly number: number;
  readonly groupId: Id<'grp'> | null;
  readonly movedAt: Date;
};

export type MoveOfCreator = Pick<Member, 'storeId' | 'programId' | 'creatorId' | 'memberId'> & {
  /** Null: never moved. */
  readonly movedAt: Date | null;
  readonly groupId: Id<'grp'> | null;
  readonly groupName: string | null;
};

type Owner = Pick<Member, 'storeId' | 'programId' | 'creatorId'>;

/** The memberships of creators with all their moves, in their order: by the unique key of members and the primary key of group_moves. */
export const movesOfCreators = (db: Queryable, owners: readonly Owner[]): Promise<MoveOfCreator[]> =>
  queryByStore(owners, (storeId, ofStore) =>
    db.all<MoveOfCreator>(prepared`
      select members.store_id, members.program_id, members.creator_id, members.member_id, group_moves.moved_at, group_moves.group_id,
        member_groups.name as group_name
      from unnest(${uuids(ofStore.map(({ programId }) => programId))}, ${uuids(ofStore.map(({ creatorId }) => creatorId))})
        as wanted (program_id, creator_id)
      join members on members.store_id = ${storeId} and members.program_id = wanted.program_id and members.creator_id = wanted.creator_id
      left join group_moves on group_moves.store_id = ${storeId} and group_moves.member_id = members.member_id
      left join member_groups on member_groups.store_id = ${storeId} and member_groups.group_id = group_moves.group_id
      order by members.member_id, group_moves.number`),
  );

/** The caller must have locked the member. Null: never moved. */
export const findLastMove = (db: Queryable, { storeId, memberId }: Pick<GroupMove, 'storeId' | 'memberId'>): Promise<GroupMove | null> =>
  db.find(sql`
    select store_id, member_id, number, group_id, moved_at from group_moves
    where store_id = ${storeId} and member_id = ${memberId} order by number desc limit 1`);

export const insertMove = (db: Queryable, move: GroupMove): Promise<number> =>
  db.run(sql`
    insert into group_moves (store_id, member_id, number, group_id, moved_at)
    values (${move.storeId}, ${move.memberId}, ${move.number}, ${move.groupId}, ${move.movedAt})`);

export type GroupOfMember = { readonly memberId: Id<'mem'>; readonly groupId: Id<'grp'>; readonly name: string };

/** The present groups of the members of one page. */
export async function groupsOfMembers(
  db: Queryable,
  members: ReadonlyArray<Pick<Member, 'storeId' | 'memberId'>>,
): Promise<ReadonlyMap<Id<'mem'>, GroupOfMember>> {
  const rows = await queryByStore(members, (storeId, ofStore) =>
    db.all<GroupOfMember>(sql`
      select last.member_id, last.group_id, member_groups.name from (
        select distinct on (member_id) member_id, group_id from group_moves
        where store_id = ${storeId} and member_id = any(${uuids(ofStore.map(({ memberId }) => memberId))})
        order by member_id, number desc
      ) last join member_groups on member_groups.store_id = ${storeId} and member_groups.group_id = last.group_id`),
  );
  return new Map(rows.map((row) => [row.memberId, row]));
}

/** How many members each group has now. */
export async function sizesOfGroups(db: Queryable, storeId: Id<'store'>, programId: Id<'prog'>): Promise<ReadonlyMap<Id<'grp'>, number>> {
  const rows = await db.all<{ readonly groupId: Id<'grp'>; readonly count: bigint }>(sql`
    select last.group_id, count(*) as count from (
      select distinct on (group_moves.member_id) group_moves.group_id from members
      join group_moves on group_moves.store_id = members.store_id and group_moves.member_id = members.member_id
      where members.store_id = ${storeId} and members.program_id = ${programId} and members.status <> 'removed'
      order by group_moves.member_id, group_moves.number desc
    ) last where last.group_id is not null group by last.group_id`);
  return new Map(rows.map(({ groupId, count }) => [groupId, Number(count)]));
}
