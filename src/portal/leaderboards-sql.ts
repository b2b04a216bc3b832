import { isEarned } from '../commissions/commission-states-sql.ts';
import type { Id } from '../core/ids.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';
import type { Page } from '../http/page.ts';
import type { ProgramName } from '../merchants/programs-sql.ts';

export type LeaderboardRow = {
  readonly memberId: Id<'mem'>;
  readonly creatorId: Id<'crt'>;
  /** Null if the member does not appear; only the own row can be such a row. */
  readonly name: string | null;
  readonly approved: bigint;
  /** Among the members who appear; equal counts have the same rank. */
  readonly rank: bigint;
  /** The number of commissions that were read. */
  readonly looked: bigint;
};
type Ranking = { readonly ownId: Id<'crt'> | null; readonly from: Date; readonly commissionsMax: number; readonly rowsMax: number };

/**
 * The members who appear on a program's leaderboard, highest rank first, and before them the row of `ownId`, who may not appear. Reads the
 * newest approvals by the index commissions_approved_of_program, up to a limit.
 */
export const rankMembers = (
  db: Queryable,
  { storeId, programId }: ProgramName,
  { ownId, from, commissionsMax, rowsMax }: Ranking,
): Promise<LeaderboardRow[]> =>
  db.all(sql`
    with newest as materialized (
      select creator_id from commissions
      where store_id = ${storeId} and program_id = ${programId} and ${isEarned} and approved_at >= ${from}
      order by approved_at desc limit ${commissionsMax}
    ), counted as (
      select creator_id, count(*) as approved from newest group by creator_id
    )
    select m.member_id, m.creator_id, m.leaderboard_name as name, c.approved, (select count(*) from newest) as looked,
      1 + count(m.leaderboard_name) over (order by c.approved desc groups between unbounded preceding and 1 preceding) as rank
    from counted c join members m on m.store_id = ${storeId} and m.program_id = ${programId} and m.creator_id = c.creator_id
    where ${inStates(joinedStatuses, sql`m.status`)} and (m.leaderboard_name is not null or m.creator_id = ${ownId}::uuid)
    order by (m.creator_id is not distinct from ${ownId}::uuid) desc, c.approved desc, lower(m.leaderboard_name), m.creator_id
    limit ${rowsMax + 1}`);

export type OwnLeaderboard = ProgramName & {
  readonly memberId: Id<'mem'>;
  readonly programName: string;
  readonly displayName: string | null;
  /** The last name that the merchant removed; the member may have chosen another one since. */
  readonly removedName: string | null;
  readonly removedAt: Date | null;
};

/** The programs with a leaderboard that the creator is a member of, newest membership first, by the index members_of_creator. */
export const listOwnLeaderboards = (
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
  { after, limit }: Page,
): Promise<OwnLeaderboard[]> =>
  db.all(sql`
    select m.store_id, m.program_id, m.member_id, p.name as program_name, m.leaderboard_name as display_name,
      m.leaderboard_removed_name as removed_name, m.leaderboard_removed_at as removed_at
    from members m join programs p on p.store_id = m.store_id and p.program_id = m.program_id
    where m.store_id = any(${uuids(storeIds)}) and m.creator_id = ${creatorId} and ${inStates(joinedStatuses, sql`m.status`)}
      and p.has_leaderboard ${after === null ? emptySql : sql`and m.member_id < ${after[0]}`}
    order by m.member_id desc limit ${limit + 1}`);
