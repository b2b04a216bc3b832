import { publicId, readPublicId, type Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { NamedMember } from '../merchants/decide-notice.ts';
import { noSubjects, type RateSubjects, type TermsDraft } from '../merchants/decide-terms.ts';
import type { ProgramName } from '../merchants/programs-sql.ts';

/** The groups and memberships of the program among those that a draft names, in their public form. */
export async function findRateSubjects(
  db: Queryable,
  { storeId, programId }: ProgramName,
  { ownRates: drafts = [] }: Pick<TermsDraft, 'ownRates'>,
): Promise<RateSubjects> {
  if (drafts.length === 0) return noSubjects;
  const groupIds = drafts.flatMap(({ groupId }) => (groupId === null ? [] : (readPublicId('grp', groupId) ?? [])));
  const memberIds = drafts.flatMap(({ memberId }) => (memberId === null ? [] : (readPublicId('mem', memberId) ?? [])));
  const groups = await db.all<{ readonly groupId: Id<'grp'> }>(sql`
    select group_id from member_groups
    where store_id = ${storeId} and program_id = ${programId} and group_id = any(${uuids(groupIds)})`);
  const members = await db.all<{ readonly memberId: Id<'mem'> }>(sql`
    select member_id from members
    where store_id = ${storeId} and program_id = ${programId} and member_id = any(${uuids(memberIds)})`);
  return {
    groups: new Set(groups.map(({ groupId }) => publicId('grp', groupId))),
    members: new Set(members.map(({ memberId }) => publicId('mem', memberId))),
  };
}

/** The present groups of memberships that terms name. */
export const findGroupsOfNamed = (
  db: Queryable,
  { storeId, programId }: ProgramName,
  memberIds: ReadonlyArray<Id<'mem'>>,
): Promise<NamedMember[]> =>
  db.all<NamedMember>(sql`
    select member_id, (
      select group_id from group_moves where group_moves.store_id = ${storeId} and group_moves.member_id = members.member_id
      order by number desc limit 1) as group_id
    from members where store_id = ${storeId} and program_id = ${programId} and member_id = any(${uuids(memberIds)})`);
