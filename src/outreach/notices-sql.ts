import type { Member } from '../creators/members-sql.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';
import type { ProgramName } from '../merchants/programs-sql.ts';

export type InformedMember = Pick<Member, 'storeId' | 'memberId' | 'creatorId'>;

type MembersAfter = ProgramName & { readonly after: Id<'mem'> | null; readonly limit: number };

/** Approved and paused members, whose orders earn, in the order of their IDs. */
export const listInformedMembers = (db: Queryable, { storeId, programId, after, limit }: MembersAfter): Promise<InformedMember[]> =>
  db.all(sql`
    select store_id, member_id, creator_id from members
    where store_id = ${storeId} and program_id = ${programId} and ${inStates(joinedStatuses, sql`status`)}
      ${after === null ? emptySql : sql`and member_id > ${after}`}
    order by member_id limit ${limit}`);
